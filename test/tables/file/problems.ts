/**
 * Problems as data: a file, and the lines that the service prints about it.
 *
 * `table` wraps the members of a table: they begin on line 4, in column 5. `fields` wraps fields, which
 * begin on line 6, in column 7. `beside` wraps members of a table with five fields: they begin on line 6.
 */
interface Case {
  readonly text: string;
  /** `line:column  sentence`. */
  readonly says: readonly string[];
}

const indented = (text: string, by: number) =>
  text
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

const table = (members: string, ...says: string[]): Case => ({
  text: `version: 1\ntables:\n  t:\n${indented(members, 4)}`,
  says,
});

const fields = (given: string, ...says: string[]): Case =>
  table(`collection: c\nfields:\n${indented(given, 2)}\n  id: objectId`, ...says);

const FIVE = 'fields: { id: objectId, name: string, tags: [string], at: date, any: mixed }';
const beside = (members: string, ...says: string[]): Case =>
  table(`collection: c\n${FIVE}\n${members}`, ...says);

const TYPES = 'string, number, decimal, boolean, date, objectId, uuid, mixed';
const USES = 'text, filter, facet, sort, range, show';
const quoted = (names: string) => names.replace(/\w+/g, '"$&"');
const MEMBERS = 'type, path, values, use, label, of, through, key, seconds, title, look';
const PATH =
  'must be a dotted path, such as ship.region, of at most 20 steps, without empty steps, steps of digits or steps that begin with $';

export const PROBLEMS: readonly Case[] = [
  {
    text: 'version: 1, tables: {}',
    says: ['1:10  a second name on one line, or a line that is indented too far'],
  },
  {
    text: 'version: 1\ntables:\n  t:\n    a: 1\n      b: 2',
    says: ['4:8  a second name on one line, or a line that is indented too far'],
  },
  {
    text: 'version: 1\ntables:\n    a: 1\n  b: 2',
    says: ['4:1  this line begins in another column than the lines beside it'],
  },
  {
    text: 'version: 1\ntables:\n  a:\n    collection: a\n    fields: &a { id: string }\n  b:\n    collection: b\n    fields:\n      id: string\n      <<: *a\n',
    says: ['10:7  YAML 1.2 has no merges: write the members out'],
  },
  { text: 'version:1\ntables: {}', says: ['1:1  a name without a colon and a blank after it'] },
  {
    text: 'version: 1\ntables: { a: 1 b: 2 }',
    says: ['2:14  a comma is missing between { and }, or [ and ]'],
  },
  { text: 'version: 1\ntables: [a', says: ['2:11  a ] is missing'] },
  {
    text: "version: 1\ntables:\n  t:\n    title: 'Orders\n    collection: c\n",
    says: ['4:12  the quote that begins here has no end'],
  },
  { text: 'version: 1\ntables: ["a, b]\n', says: ['2:10  the quote that begins here has no end'] },
  { text: 'version: 1\nname\n', says: ['2:1  a name without a colon and a blank after it'] },
  { text: 'version: 1\ntables: [a]]', says: ['2:12  a bracket too much'] },
  { text: 'version: 1\ntables: [a, , b]', says: ['2:13  a comma too much'] },
  { text: 'version: 1\ntables: [a], [b]', says: ['2:12  text after the end of the value'] },
  {
    text: 'version: 1\ntables:\n  t:\n    sort: - placed',
    says: [
      '4:11  a list begins on the next line, and a text that begins with a - stands in quotes',
    ],
  },
  { text: '', says: ['1:1  the file has no value'] },
  { text: '- a', says: ['1:1  the file must be an object, not a list'] },
  { text: 'version: 1', says: ['1:1  "tables" is missing'] },
  {
    text: 'version: 2\ntables: {}',
    says: ['1:10  version must be 1, not 2', '2:9  tables must have at least 1 entry'],
  },
  {
    text: 'version: "1"\ntables: { t: { collection: c, fields: { id: string } } }',
    says: ['1:10  version must be 1, not "1"'],
  },
  {
    text: '{"version": 1, "table": {}}',
    says: ['1:16  "table" is no member here; members are version, tables; did you mean "tables"?'],
  },
  {
    text: 'version: 1\nversion: 1\ntables: { t: { collection: c, fields: { id: string } } }',
    says: ['2:1  "version" is already on line 1'],
  },
  { text: 'version: 1\ntables: [t]', says: ['2:9  tables must be an object, not a list'] },
  { text: 'version: 1\ntables: { t: }', says: ['2:11  t has no value'] },
  {
    text: 'version: 1\ntables: { Orders: { collection: c, fields: { id: string } } }',
    says: ['2:11  "Orders" must be at most 32 small letters, digits and _, and a letter first'],
  },
  {
    text: 'version: 1\ntables: { 7: { fields: { id: string } } }',
    says: [
      '2:11  "7" must be at most 32 small letters, digits and _, and a letter first',
      '2:11  "collection" is missing in 7',
    ],
  },
  {
    text: 'version: 1\ntables: { a-b: { collection: c, fields: { id: string } } }',
    says: ['2:11  "a-b" must be at most 32 small letters, digits and _, and a letter first'],
  },
  { text: 'version: 1\ntables:\n\tt: {}', says: ['3:1  a tab cannot indent a line: use blanks'] },
  { text: 'version: 1\ntables: !mine { t: 1 }', says: ['2:9  unresolved tag: !mine'] },
  { text: 'version: 1\n---\nversion: 1', says: ['2:1  the file holds more than one document'] },
  {
    text: 'version: 1\ntables: { t: { collection: c, fields: { id: string } }',
    says: ['2:55  a } is missing'],
  },
  {
    text: 'version: 1\ntables: { ? [a] : { collection: c, fields: { id: string } } }',
    says: ['2:9  tables must have at least 1 entry', '2:13  a name must be text'],
  },
  {
    text: 'a: *b',
    says: [
      '1:1  "a" is no member here; members are version, tables',
      '1:1  "version" is missing',
      '1:1  "tables" is missing',
      '1:4  no anchor before this is named b',
    ],
  },
  table('fields: { id: string }', '3:3  "collection" is missing in t'),
  table(
    'colection: c\nfields: { id: string }',
    '4:5  "colection" is no member here; members are collection, title, fields, text, facets, sort, columns, window, access; did you mean "collection"?',
  ),
  table(
    'collection: system.views\nfields: { id: string }',
    '4:17  "system.views" must be the name of a collection, without $ or a dot in front, and not one of system.',
  ),
  table(
    'collection: .a\nfields: { id: string }',
    '4:17  ".a" must be the name of a collection, without $ or a dot in front, and not one of system.',
  ),
  table('collection: 5\nfields: { id: string }', '4:17  collection must be a string, not a number'),
  table(
    'collection: a$b\nfields: { id: string }',
    '4:17  "a$b" must be the name of a collection, without $ or a dot in front, and not one of system.',
  ),
  table(
    'collection: c\ntitle: *none\nfields: { id: string }',
    '5:12  no anchor before this is named none',
  ),
  table('collection: c\ntitle: ""\nfields: { id: string }', '5:12  title must not be empty'),
  table('collection: c', '3:3  "fields" is missing in t'),
  table(
    'collection: c\nfields: {}',
    '5:5  t has no field "id", the key: add it with its type, such as id: objectId',
    '5:13  fields must have at least 1 entry',
  ),
  table('collection: c\nfields: [id]', '5:13  fields must be an object, not a list'),
  table(
    'collection: c\nfields: { name: string }',
    '5:5  t has no field "id", the key: add it with its type, such as id: objectId',
  ),
  fields('f: strng', `6:10  "strng" is none of ${TYPES}; did you mean "string"?`),
  fields('f: Integer', `6:10  "Integer" is none of ${TYPES}; did you mean "number"?`),
  fields('f: constructor', `6:10  "constructor" is none of ${TYPES}`),
  fields('f: array', `6:10  "array" is none of ${TYPES}; did you mean "[string]"?`),
  fields('f: 7', '6:10  f must be a string or a list or an object, not a number'),
  fields('f:', '6:7  f has no value'),
  fields(
    'f: [string, number]',
    '6:10  f must have at most 1 entry: a field of several types is mixed',
  ),
  fields('f: [strin]', `6:11  "strin" is none of ${TYPES}; did you mean "string"?`),
  fields('f: { type: objectID }', `6:18  "objectID" is none of ${TYPES}; did you mean "objectId"?`),
  fields('f: { type: [] }', '6:18  type must have at least 1 entry'),
  fields('f: { type: 1 }', '6:18  type must be a string or a list, not a number'),
  fields(
    'f: { typ: string }',
    `6:12  "typ" is no member here; members are ${MEMBERS}; did you mean "type"?`,
  ),
  fields('f: { title: F }', '6:7  f needs one of type, label, seconds'),
  fields(
    'f: { type: string, seconds: [at, at] }',
    '6:7  f takes only one of type, seconds',
    '6:36  "at" stands twice in seconds',
  ),
  fields(
    'f: { type: string, paht: a }',
    `6:26  "paht" is no member here; members are ${MEMBERS}; did you mean "path"?`,
  ),
  fields('f: { type: string, path: "" }', `6:32  "" ${PATH}`),
  fields('f: { type: string, path: a..b }', `6:32  "a..b" ${PATH}`),
  fields('f: { type: string, path: a.0.b }', `6:32  "a.0.b" ${PATH}`),
  fields('f: { type: string, path: a.$b }', `6:32  "a.$b" ${PATH}`),
  fields(`f: { type: string, path: ${'a.'.repeat(20)}a }`, `6:32  "${'a.'.repeat(20)}a" ${PATH}`),
  fields('f: { type: string, path: .a }', `6:32  ".a" ${PATH}`),
  fields('f: { type: string, values: some }', '6:34  "some" is none of few, many, unique'),
  fields(
    'f: { type: string, values: uniqe }',
    '6:34  "uniqe" is none of few, many, unique; did you mean "unique"?',
  ),
  fields(
    'f: { type: [5], values: 5, use: [{}] }',
    `6:19  entry 1 of type must be one of ${quoted(TYPES)}, not a number`,
    '6:31  values must be one of "few", "many", "unique", not a number',
    `6:40  entry 1 of use must be one of ${quoted(USES)}, not an object`,
  ),
  fields('f: { type: string, use: show }', '6:31  use must be a list, not a string'),
  fields('f: { type: string, use: [show, show] }', '6:32  "show" stands twice in use'),
  fields(
    'f: { type: string, use: [facets, order] }',
    '6:32  "facets" is none of text, filter, facet, sort, range, show; did you mean "facet"?',
    '6:40  "order" is none of text, filter, facet, sort, range, show',
  ),
  fields(
    'f: { type: string, use: [range] }',
    '6:32  f cannot have the use range: its type, string, takes text, filter, facet, sort, show',
  ),
  fields(
    'f: { type: [string], use: [sort] }',
    '6:34  f may have several values: it cannot have the use sort',
  ),
  fields(
    'f: { type: mixed, use: [filter] }',
    '6:31  f cannot have the use filter: its type, mixed, takes show',
  ),
  fields(
    'f: { type: date, use: [facet] }',
    '6:30  f cannot have the use facet: its type, date, takes filter, sort, range, show',
  ),
  fields(
    'f: { type: decimal, use: [text] }',
    '6:33  f cannot have the use text: its type, decimal, takes filter, sort, range, show',
  ),
  fields(
    'f: { type: string, look: bytes }',
    '6:32  f cannot look like bytes: its type, string, takes status, code, link',
  ),
  fields(
    'f: { type: date, look: seconds }',
    '6:30  f cannot look like seconds: its type, date, takes none',
  ),
  fields(
    'f: { type: number, look: { money: euro } }',
    '6:41  "euro" must be the three capital letters of a currency, such as EUR',
  ),
  fields(
    'f: { type: string, look: { link: "javascript:{value}" } }',
    '6:40  "javascript:{value}" must be an http or https address that contains {value}, or {value} alone',
  ),
  fields(
    'f: { type: string, look: { link: "{value}/more" } }',
    '6:40  "{value}/more" must be an http or https address that contains {value}, or {value} alone',
  ),
  fields(
    'f: { type: string, look: { link: "https://a.example/" } }',
    '6:40  "https://a.example/" must be an http or https address that contains {value}, or {value} alone',
  ),
  fields(
    'f: { type: string, look: { link: "https://a.example/{value}", money: EUR } }',
    '6:32  look must have at most 1 entry',
  ),
  fields(
    `f: { type: string, look: { link: "https://${'a'.repeat(40_000)}" } }`,
    '6:40  link must have at most 1000 characters',
  ),
  fields(
    `f: { type: string, look: ${'x'.repeat(40_000)} }`,
    `6:32  "${'x'.repeat(99)}… is none of status, code, bytes, seconds, json`,
  ),
  fields(
    'f: { type: string, look: staus }',
    '6:32  "staus" is none of status, code, bytes, seconds, json; did you mean "status"?',
  ),
  fields('f: { type: string, look: 5 }', '6:32  look must be a string or an object, not a number'),
  fields('٣f: string', '6:7  "٣f" must be at most 64 letters, digits and _, and no digit first'),
  fields('1f: string', '6:7  "1f" must be at most 64 letters, digits and _, and no digit first'),
  fields(
    'my-name: string',
    '6:7  "my-name" must be at most 64 letters, digits and _, and no digit first',
  ),
  fields('q: string', '6:7  "q" cannot name a field: it is the filter for text in any field'),
  fields('__proto__: string', '6:7  "__proto__" cannot name a field: it is reserved'),
  fields('toString: string', '6:7  "toString" cannot name a field: it is reserved'),
  fields('f: string\nf: number', '7:7  "f" is already on line 6'),
  fields(
    'a: { type: string, path: x.y }\nb: { type: number, path: x.y }',
    '7:7  b and a both have the path x.y, which only one field may have: leave one out, or give it a path of its own',
  ),
  fields(
    'f: { type: objectId, path: _id }',
    '7:7  id and f both have the path _id, which only one field may have: leave one out, or give it a path of its own',
  ),
  fields(
    'f: { label: name }',
    '6:12  "label" needs "of" beside it',
    '6:12  "label" needs "through" beside it',
  ),
  fields('f: { label: name, of: t }', '6:12  "label" needs "through" beside it'),
  fields(
    'f: { label: name, of: t, through: id, path: a, values: few }',
    '6:19  "name" is no field of t',
    '6:45  a field with "label" has no "path"',
    '6:54  a field with "label" has no "values"',
  ),
  fields(
    'f: { label: name, of: tt, through: id }\nname: string',
    '6:29  "tt" is no table of this file',
  ),
  fields(
    'f: { label: nam, of: t, through: idd }\nname: string',
    '6:19  "nam" is no field of t; did you mean "name"?',
    '6:40  "idd" is no field of t; did you mean "id"?',
  ),
  fields(
    'f: { label: n, of: t, through: id }\nn: number',
    '6:19  t.n is a number: a label shows a string',
  ),
  fields(
    'f: { label: g, of: t, through: id }\ng: { label: s, of: t, through: id }\ns: string',
    '6:19  t.g is a label: a label shows a string, and a label leads one step only',
  ),
  fields(
    'f: { label: s, of: t, through: k }\nk: string\ns: string',
    '6:38  k is a string, t.id is an objectId: they are never equal',
  ),
  fields(
    'f: { label: s, of: t, through: k }\nk: [objectId]\ns: string',
    '6:38  k is a list of objectId: a label goes through string, number, objectId, uuid',
  ),
  fields(
    'f: { label: s, of: t, through: k, key: kk }\nk: string\ns: string',
    '6:46  "kk" is no field of t',
  ),
  fields(
    'f: { label: s, of: t, through: k, key: d }\nk: string\nd: date\ns: string',
    '6:38  k is a string, t.d is a date: they are never equal',
  ),
  fields(
    'f: { type: string, of: t, key: id }',
    '6:26  "of" needs "label" beside it',
    '6:33  "key" needs "label" beside it',
  ),
  fields(
    'f: { label: s, of: t, through: id, use: [sort] }\ns: string',
    '6:48  f cannot have the use sort: its type, label, takes text, filter, show',
  ),
  fields('f: { seconds: [at] }\nat: date', '6:21  seconds must have at least 2 entries'),
  fields('f: { seconds: [at, at] }\nat: date', '6:22  "at" stands twice in seconds'),
  fields('f: { seconds: [at, end] }\nat: date', '6:26  "end" is no field of t'),
  fields(
    'f: { seconds: [at, n] }\nat: date\nn: number',
    '6:26  n is a number: seconds lie between two dates',
  ),
  fields(
    'f: { seconds: [at, to], path: x }\nat: date\nto: [date]',
    '6:26  to is a list of date: seconds lie between two dates',
    '6:31  a field with "seconds" has no "path"',
  ),
  table(
    'collection: c\nfields: { id: [string] }',
    '5:19  id is the key: its type must be one of objectId, string, number, uuid, mixed',
  ),
  table(
    'collection: c\nfields: { id: date }',
    '5:19  id is the key: its type must be one of objectId, string, number, uuid, mixed',
  ),
  table(
    'collection: c\nfields: { id: date, k: string, s: string, f: { label: s, of: t, through: k } }',
    '5:19  id is the key: its type must be one of objectId, string, number, uuid, mixed',
  ),
  table(
    'collection: c\nfields: { id: { type: string, path: key } }',
    '5:41  id is the key, which lies at _id; did you mean "_id"?',
  ),
  beside('text: name', '6:11  text must be a list, not a string'),
  beside(
    'text: [nmae, at, name, name]',
    '6:12  "nmae" is no field of t; did you mean "name"?',
    '6:18  at cannot have the use text: its type, date, takes filter, sort, range, show',
    '6:22  "name" stands twice in text',
  ),
  beside('facets: [any]', '6:14  any cannot have the use facet: its type, mixed, takes show'),
  beside(
    'facets: [at]',
    '6:14  at cannot have the use facet: its type, date, takes filter, sort, range, show',
  ),
  beside('sort: [name]', '6:11  sort must be a string, not a list'),
  beside('sort: -nam', '6:11  "nam" is no field of t; did you mean "name"?'),
  beside('sort: tags', '6:11  tags may have several values: it cannot have the use sort'),
  beside(
    'sort: --at',
    '6:11  "--at" must be the name of a field; a leading - sorts from the greatest',
  ),
  beside('columns: []', '6:14  columns must have at least 1 entry'),
  beside('columns: [id, titel]', '6:19  "titel" is no field of t'),
  table(
    'collection: c\nfields: { id: string, f: { type: string, use: [filter] } }\ntext: [f]\ncolumns: [f]\nsort: f',
    '6:12  f does not have the use text: add it to its member "use"',
    '7:15  f does not have the use show: add it to its member "use"',
    '8:11  f does not have the use sort: add it to its member "use"',
  ),
  beside('window: { field: att, span: 90d }', '6:22  "att" is no field of t; did you mean "at"?'),
  beside(
    'window: { field: name, span: 90d }',
    '6:22  name cannot decide on a window: only a field with one date can',
  ),
  beside(
    'window: { field: at, span: 3m }',
    '6:32  "3m" must be a number of hours, days or weeks, such as 12h, 90d or 8w',
  ),
  beside(
    'window: { field: att, span: 3m }',
    '6:22  "att" is no field of t; did you mean "at"?',
    '6:33  "3m" must be a number of hours, days or weeks, such as 12h, 90d or 8w',
  ),
  beside(
    'access:\n  - { roles: a, rows: { nam: x, name: [y, y, 5] }, hide: [tag, id, id], document: no }',
    '7:18  roles must be a list, not a string',
    '7:34  "nam" is no field of t; did you mean "name"?',
    '7:44  "y" stands twice in name',
    '7:50  name is text: put the value in quotes',
    '7:63  "tag" is no field of t; did you mean "tags"?',
    '7:68  "id" stands twice in hide',
    '7:72  id cannot be hidden: it names every record',
    '7:87  document must be true or false, not a string',
  ),
  fields(
    'f: { label: nam, of: t, through: id, use: [sort, facets], path: "", look: bytes, title: "" }',
    '6:19  "nam" is no field of t',
    '6:50  f cannot have the use sort: its type, label, takes text, filter, show',
    '6:56  "facets" is none of text, filter, facet, sort, range, show; did you mean "facet"?',
    `6:71  "" ${PATH}`,
    '6:81  f cannot look like bytes: its type, label, takes status, code, link',
    '6:95  title must not be empty',
  ),
  fields(
    'f: { type: string, path: x.y, values: some }\ng: { type: string, path: x.y, look: staus }\nh: { type: strng, path: x.y }',
    '6:45  "some" is none of few, many, unique',
    '7:7  g and f both have the path x.y, which only one field may have: leave one out, or give it a path of its own',
    '7:43  "staus" is none of status, code, bytes, seconds, json; did you mean "status"?',
    `8:18  "strng" is none of ${TYPES}; did you mean "string"?`,
  ),
  beside('window: 90d', '6:13  window must be an object, not a string'),
  beside('window: { field: at }', '6:5  "span" is missing in window'),
  table(
    'collection: c\nfields: { id: string, at: { type: date, use: [show] } }\nwindow: { field: at, span: 1w }',
    '6:22  at does not have the use range: add it to its member "use"',
  ),
  table(
    'collection: c\nfields: { id: string, at: date, s: string, g: { label: s, of: t, through: s } }\nwindow: { field: at, span: 1w }',
    '5:67  t has a window, and older documents would have no label: name a table of the same collection without one',
  ),
  beside(
    'access:\n  - { role: [admin] }',
    '7:11  "role" is no member here; members are roles, rows, hide, document; did you mean "roles"?',
  ),
  beside(
    'window: { feild: at, span: 3d }',
    '6:15  "feild" is no member here; members are field, span; did you mean "field"?',
  ),
  fields(
    'f: { label: name, off: t, through: id }\nname: string',
    `6:25  "off" is no member here; members are ${MEMBERS}; did you mean "of"?`,
  ),
  fields(
    'f: { label: name, of: t, throug: id }\nname: string',
    `6:32  "throug" is no member here; members are ${MEMBERS}; did you mean "through"?`,
  ),
  beside('access: []', '6:13  access must have at least 1 entry'),
  beside('access: admin', '6:13  access must be a list, not a string'),
  beside('access: [admin]', '6:14  entry 1 of access must be an object, not a string'),
  beside('access:\n  - {}', '7:9  "roles" is missing in entry 1 of access'),
  beside('access:\n  - { roles: admin }', '7:18  roles must be a list, not a string'),
  beside('access:\n  - { roles: [] }', '7:18  roles must have at least 1 entry'),
  beside(
    'access:\n  - { roles: [a], row: { name: x } }',
    '7:23  "row" is no member here; members are roles, rows, hide, document; did you mean "rows"?',
  ),
  beside(
    'access:\n  - { roles: [a, b] }\n  - { roles: [b] }',
    '8:18  nobody has this grant: earlier ones name all of its roles',
  ),
  beside('access:\n  - { roles: [a], rows: {} }', '7:29  rows must have at least 1 entry'),
  beside(
    'access:\n  - { roles: [a], rows: { nam: x } }',
    '7:36  "nam" is no field of t; did you mean "name"?',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { name: 12 } }',
    '7:37  name is text: put the value in quotes',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { name: [a, true] } }',
    '7:41  name is text: put the value in quotes',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { name: { claims: x } } }',
    '7:39  "claims" is no member here; members are claim; did you mean "claim"?',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { name: { claim: org..region } } }',
    '7:46  "org..region" must be a claim or a dotted path to one, such as org.region, without empty steps',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { id: 5 } }',
    '7:35  id takes 24 hexadecimal digits in quotes',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { at: "2026-02-30T12:00:00Z" } }',
    '7:35  at takes a date and time as in "2026-01-31T12:00:00Z"',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { at: yesterday } }',
    '7:35  at takes a date and time as in "2026-01-31T12:00:00Z"',
  ),
  beside(
    'access:\n  - { roles: [a], rows: { any: x } }',
    '7:36  any cannot restrict rows: only stored fields that have a type can',
  ),
  beside('access:\n  - { roles: [a], rows: { name: null } }', '7:37  name has no value'),
  beside(
    'access:\n  - { roles: [a], hide: [id] }',
    '7:30  id cannot be hidden: it names every record',
  ),
  beside(
    'access:\n  - { roles: [a], hide: [nmae] }',
    '7:30  "nmae" is no field of t; did you mean "name"?',
  ),
  beside(
    'access:\n  - { roles: [a], document: no }',
    '7:33  document must be true or false, not a string',
  ),
  table(
    'collection: c\nfields: { id: string, b: boolean, n: number, d: decimal, u: uuid }\naccess:\n  - { roles: [a], rows: { b: yes, n: "5", d: x, u: 5 } }',
    '7:34  b takes true or false, and yes is text here',
    '7:42  n takes a number without quotes',
    '7:50  d takes a number, or its digits in quotes',
    '7:56  u takes a UUID in quotes',
  ),
  table(
    'collection: c\nfields: { id: string, b: boolean, n: number }\naccess:\n  - { roles: [a], rows: { b: "true", n: .nan } }',
    '7:34  b takes true or false, and true is text here',
    '7:45  numbers must be finite',
  ),
  table(
    'collection: c\nfields: { id: string, ship: mixed, region: { type: string, path: ship.region } }\naccess:\n  - { roles: [a], hide: [region] }',
    '7:30  ship shows region, which lies within it: hide both',
  ),
  table(
    'collection: c\nfields: { id: string, f: mixed, g: { label: s, of: t, through: f }, s: string }',
    '5:68  f is mixed: a label goes through string, number, objectId, uuid',
  ),
  // A slip in one member of a field hides no problem of members that name the field.
  table(
    'collection: c\nfields:\n  id: string\n  at: { type: date, look: status }\n  all: { type: [date], use: [sort, show] }\n  took: { seconds: [at, all] }\n  b: { type: boolean, path: "", use: [sum] }\nfacets: [b, at]\naccess:\n  - { roles: [a], rows: { b: yes, at: now } }',
    '7:31  at cannot look like status: its type, date, takes none',
    '8:34  all may have several values: it cannot have the use sort',
    '9:29  all is a list of date: seconds lie between two dates',
    '10:33  "" must be a dotted path, such as ship.region, of at most 20 steps, without empty steps, steps of digits or steps that begin with $',
    '10:43  "sum" is none of text, filter, facet, sort, range, show',
    '11:17  at cannot have the use facet: its type, date, takes filter, sort, range, show',
    '13:34  b takes true or false, and yes is text here',
    '13:43  at takes a date and time as in "2026-01-31T12:00:00Z"',
  ),
  table(
    'collection: c\nfields: { id: string, ship: { type: mixed, path: 5 }, region: { type: string, path: [] } }\naccess:\n  - { roles: [a], hide: [region] }',
    '5:54  path must be a string, not a number',
    '5:89  path must be a string, not a list',
  ),
];
