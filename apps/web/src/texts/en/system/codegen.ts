import type { SameKeys } from '../../same-keys.ts'
import type { codegen as zh } from '../../zh-cn/system/codegen.ts'

export const codegen: SameKeys<typeof zh> = {
  none: 'No table of the database has been imported yet',
  import: 'Import',
  importTitle: 'Import tables of the database',
  importHelp:
    'Tables of the schema public that can be imported: a bigint key named id, and columns of text, whole numbers, decimals (double precision, or numeric of at most 15 digits, 6 of them after the point), yes or no, days or times. Columns of documents (jsonb), and of lists of numbers or of varchar, stay out of lists and forms. Accounts, rights, secrets, sessions and jobs are not among them; what only the operations of its own area change is imported to look at; any other table that cannot be imported says why. Generated code knows no unique constraint over several columns and no check but a list of words: a table with one cannot be imported.',
  importNone: 'There is no table to import',
  importChosen: 'Import ({n})',
  imported: 'Tables imported: {n}',
  product: 'Built in',
  preview: 'Preview',
  sync: 'Sync',
  generate: 'Download',
  pickFirst: 'Please select the tables to write code for',
  withMain: 'Written by its main table',
  every: 'All columns',
  created: 'Created',
  createdHint: 'By time of creation; either end may be left open',
  editOf: 'Edit: {name}',
  basic: 'Basics',
  columns: 'Columns',
  entityHelp: 'In camel case, like visitorPass; files, calls and permissions are named after it',
  templateHelp:
    'A tree needs a parent_id that may be null and refers to the table itself; rows of another table are created, edited and deleted with it, and written by it',
  joinHelp: 'The column that names the main row; unique: one each, otherwise many',
  sightHelp: 'A table with school_id is seen by school only; by department, the migration adds dept_id where it lacks',
  menuTop: 'At the top',
  menuHelp:
    'Directories that have a screen name; where there is none of it, the entry comes at the top. It can be moved on the menu screen later',
  staleDiffering: 'Changed by both of you; this is what they saved:',
  leftOut:
    'These columns are in no list and no form: neither knows their types. A new row takes the default of the database, and editing leaves them as they are.',
  unshown: 'These columns are not shown: their types are not known to lists, or they name a session or a secret.',
  lookedHelp:
    'Only the operations of its own area change these rows: the slice lists, shows and exports them, and has no form.',
  notNull: 'Not null',
  unique: 'Unique',
  noForm: 'Not in forms',
  noQuery: 'Not searchable',
  syncTitle: 'Sync the table: {name}',
  syncSame: 'The table has not changed; there is nothing to sync',
  syncHelp: 'Columns become what the database has; what was chosen for them stays where it still fits.',
  synced: 'Synced',
  before: 'Before',
  after: 'Now',
  previewOf: 'Preview: {name}',
  files: 'Files',
  newFile: 'New file',
  listFile: 'List',
  howTo:
    'Unpack the download over the checkout (lists of the same name are replaced), run npm run openapi and npm test -- --quick, and start again; GENERATED-*.md in it says the same.',
  download: 'Download',
  deleteText: '{name}: only its configuration is deleted; the table stays in the database.',
}
