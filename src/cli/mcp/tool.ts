/** A tool of the Model Context Protocol: its description for assistants, and the request of a call. */
import type { AnyRequest } from 'table-search/client';

export type Given = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  readonly isRead: boolean;
  /** Takes something away for good. */
  readonly isDestructive: boolean;
  request(given: Given): Omit<AnyRequest, 'isRead'>;
}

export interface Schema {
  readonly [keyword: string]: unknown;
}
