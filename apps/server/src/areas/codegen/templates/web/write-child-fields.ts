import { sourceFile, importLine } from '../server/source-text.ts'
import type { ChildTable, CrudModule } from '../server/crud-module.ts'
import { importsOf, antdImports, dictLabelsUsed } from './write-cells.ts'
import { formFieldCode } from './write-inputs.ts'

const kit = ['Checkbox', 'Input', 'InputNumber', 'Radio', 'Select', 'Switch']

const initial = ({ columns }: ChildTable): string => {
  const off = columns
    .filter(({ form, kind }) => form && form !== 'HIDDEN' && kind === 'BOOL')
    .map(({ key, preset }) => `${key}: ${preset === 'true'}`)
  return off.length > 0 ? `{ ${off.join(', ')} }` : '{}'
}

/** One child row with its inputs. */
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

/** Emits the child rows in the form of their parent. */
export const writeChildFields = ({ module, type: main, entity }: CrudModule, part: ChildTable): string => {
  const { type, set, columns, one } = part
  const inForm = columns.filter(({ form }) => form)
  const body = inForm
    .map((column) =>
      formFieldCode(column, {
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
  return sourceFile(
    "import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'",
    "import { labelIn } from '@tocsin/contract/field'",
    importLine([`${type}Draft`, `${main}Whole`, ...dictLabelsUsed(body, inForm)], `@tocsin/contract/${module}`),
    importLine(['Button', 'Card', ...antdImports(body, kit), 'Flex', 'Form'].toSorted(), 'antd'),
    "import { useTranslation } from 'react-i18next'",
    importLine(['useLang'], '#texts/i18n.ts'),
    importLine(antdImports(body, ['HiddenValue', 'Field']), '#ui/Field.tsx'),
    importLine(['RemoteRows'], '#ui/edit-conflict/RemoteRows.tsx'),
    ...importsOf(body),
    '',
    `/** The child rows of one ${entity}, edited and saved with it. */`,
    `export const ${type}Fields = () => {`,
    '  const { t } = useTranslation()',
    '  const lang = useLang()',
    `  const title = labelIn(lang, ${main}Whole.shape.${set})`,
    '  return (',
    `    <RemoteRows name="${set}" label={title}>`,
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
    '    </RemoteRows>',
    '  )',
    '}',
  )
}
