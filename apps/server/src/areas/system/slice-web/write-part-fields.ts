import { file, importing } from '../slice/layout.ts'
import type { Part, Slice } from '../slice/slice.ts'
import { importsOf, kitOf, wordsIn } from './write-cells.ts'
import { fieldOf } from './write-inputs.ts'

const kit = ['Checkbox', 'Input', 'InputNumber', 'Radio', 'Select', 'Switch']

const initial = ({ columns }: Part): string => {
  const off = columns
    .filter(({ form, kind }) => form && form !== 'HIDDEN' && kind === 'BOOL')
    .map(({ key, preset }) => `${key}: ${preset === 'true'}`)
  return off.length > 0 ? `{ ${off.join(', ')} }` : '{}'
}

/** One row of the list, with what is filled in for it. */
const card = (body: string): string[] => [
  '            {rows.map(({ key, name }) => (',
  '              <Card',
  '                key={key}',
  '                size="small"',
  '                title={name + 1}',
  '                extra={',
  '                  <Button',
  '                    type="text"',
  '                    icon={<DeleteOutlined />}',
  "                    aria-label={`${t('list.delete')} ${title} ${name + 1}`}",
  '                    onClick={() => remove(name)}',
  '                  />',
  '                }',
  '              >',
  '                {/* A row that is there keeps its id: without it, saving would make it anew. */}',
  "                <Form.Item name={[name, 'id']} noStyle>",
  '                  <input type="hidden" />',
  '                </Form.Item>',
  body,
  '              </Card>',
  '            ))}',
]

/** The rows that belong to one, in its form. */
export const writePartFields = ({ module, type: main, entity }: Slice, part: Part): string => {
  const { type, set, columns, one } = part
  const inForm = columns.filter(({ form }) => form)
  const body = inForm
    .map((column) =>
      fieldOf(column, {
        of: `${type}Draft`,
        entity: part.entity,
        first: false,
        indent: '                ',
        row: 'name',
      }),
    )
    .join('\n')
  const full = one ? '{rows.length === 0 && (' : undefined
  const add = (indent: string) => [
    `${indent}<Button icon={<PlusOutlined />} onClick={() => add(${initial(part)})}>`,
    `${indent}  {t('list.create')}`,
    `${indent}</Button>`,
  ]
  return file(
    "import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'",
    "import { labelIn } from '@tocsin/contract/field'",
    importing([`${type}Draft`, `${main}Whole`, ...wordsIn(body, inForm)], `@tocsin/contract/${module}`),
    importing(['Button', 'Card', ...kitOf(body, kit), 'Flex', 'Form'].toSorted(), 'antd'),
    "import { useTranslation } from 'react-i18next'",
    importing(['useLang'], '#texts/i18n.ts'),
    importing(kitOf(body, ['Carried', 'Field']), '#ui/Field.tsx'),
    importing(['TheirRows'], '#ui/stale/TheirRows.tsx'),
    ...importsOf(body),
    '',
    `/** The rows of it that belong to one ${entity}, changed and saved with it. */`,
    `export const ${type}Fields = () => {`,
    '  const { t } = useTranslation()',
    '  const lang = useLang()',
    `  const title = labelIn(lang, ${main}Whole.shape.${set})`,
    '  return (',
    `    <TheirRows name="${set}" label={title}>`,
    `      <Form.List name="${set}">`,
    '        {(rows, { add, remove }, { errors }) => (',
    '          <Flex vertical gap="small" role="group" aria-label={title}>',
    '            <strong>{title}</strong>',
    ...card(body),
    ...(full ? [`            ${full}`, ...add('              '), '            )}'] : add('            ')),
    '            <Form.ErrorList errors={errors} />',
    '          </Flex>',
    '        )}',
    '      </Form.List>',
    '    </TheirRows>',
    '  )',
    '}',
  )
}
