import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { labelIn } from '@tocsin/contract/field'
import { Button, Card, Flex, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import { RemoteRows } from '../edit-conflict/RemoteRows.tsx'
import { Field } from '../Field.tsx'
import { childDraft } from './child-draft.ts'
import { type ControlKind, controlFor } from './schema-controls.tsx'

type ChildField = string | { name: string; as?: ControlKind; placeholder?: string }

type Props<D extends z.ZodObject> = {
  of: D
  /** The field that holds the child rows. */
  name: keyof D['shape'] & string
  fields: readonly ChildField[]
  /** Values of a new child row. */
  initial?: Record<string, unknown>
}

const ChildControl = ({ of, row, item }: { of: z.ZodObject; row: number; item: ChildField }) => {
  const { name, as, placeholder } = typeof item === 'string' ? { name: item } : item
  const { control, valuePropName } = controlFor(of.shape[name] as z.ZodType, {
    as,
    ...(placeholder !== undefined && { placeholder }),
  })
  return (
    <Field of={of} name={name} row={row} {...(valuePropName && { valuePropName })}>
      {control}
    </Field>
  )
}

/** How many rows the schema allows. */
const maxRows = ({ def }: z.ZodType): number => {
  const checks = (def.checks ?? []) as readonly { _zod: { def: { check: string; maximum?: number } } }[]
  return checks.find(({ _zod }) => _zod.def.check === 'max_length')?._zod.def.maximum ?? Infinity
}

/** Rows of another table in the form of the row that they belong to. */
export const ChildRows = <D extends z.ZodObject>({ of, name, fields, initial = {} }: Props<D>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const schema = of.shape[name] as unknown as z.ZodType
  const title = labelIn(lang, schema)
  const draft = childDraft(schema)
  if (!draft) throw new Error(`${name} holds no rows`)
  const most = maxRows(schema)
  return (
    <RemoteRows name={name} label={title}>
      <Form.List name={name}>
        {(rows, { add, remove }, { errors }) => (
          <Flex vertical gap="small" role="group" aria-label={title}>
            <strong>{title}</strong>
            {rows.map(({ key, name: at }) => (
              <Card
                key={key}
                size="small"
                title={at + 1}
                extra={
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={`${t('list.delete')} ${title} ${at + 1}`}
                    onClick={() => remove(at)}
                  />
                }
              >
                {/* An existing row keeps its id; saved without it, it would be another row. */}
                <Form.Item name={[at, 'id']} noStyle>
                  <input type="hidden" />
                </Form.Item>
                {fields.map((item) => (
                  <ChildControl key={typeof item === 'string' ? item : item.name} of={draft} row={at} item={item} />
                ))}
              </Card>
            ))}
            {rows.length < most && (
              <Button icon={<PlusOutlined />} onClick={() => add(initial)}>
                {t('list.create')}
              </Button>
            )}
            <Form.ErrorList errors={errors} />
          </Flex>
        )}
      </Form.List>
    </RemoteRows>
  )
}
