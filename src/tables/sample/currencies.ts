/** Fields whose look names a currency that is none: people would see its three letters before each amount. */
import type { DescribedTable } from '../file/described.ts';
import type { Finding } from './finding.ts';

export function unknownCurrencies(tables: readonly DescribedTable[]): Finding[] {
  const known = Intl.supportedValuesOf('currency');
  return tables.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { look }]) => {
      if (typeof look !== 'object' || !('money' in look) || known.includes(look.money)) return [];
      const pointer = `/tables/${name}/fields/${field}/look/money`;
      return [
        {
          pointer,
          message: `this Node knows no currency ${look.money} (ISO 4217)`,
          isDrift: false,
        },
      ];
    }),
  );
}
