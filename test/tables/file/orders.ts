/** A file with each member of the format. */
export const ORDERS = `
version: 1
tables:
  orders:
    collection: orders
    title: Orders
    fields:
      id:       objectId
      number:   { type: string, values: unique }
      status:   { type: string, values: few, look: status }
      region:   { type: string, path: ship.region, values: few }
      customer: { type: objectId, path: customerId }
      email:    { label: email, of: customers, through: customer }
      skus:     { type: [string], path: lines.sku }
      total:    { type: decimal, look: { money: EUR } }
      placed:   { type: date, path: placedAt }
      shipped:  { type: date, path: shippedAt, title: Sent }
      took:     { seconds: [placed, shipped] }
      note:     { type: mixed, use: [show] }
    text: [id, number, email, skus]
    facets: [status, region, skus]
    sort: -placed
    columns: [number, status, email, total, placed, took]
    access:
      - { roles: [admin] }
      - { roles: [support], rows: { region: { claim: region } }, hide: [total], document: false }
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique } }
`;
