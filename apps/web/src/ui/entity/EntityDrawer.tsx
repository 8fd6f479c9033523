import { isValidElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useApiMutation } from '#api/query.ts'
import { readAs } from '../edit-conflict/remote-row.ts'
import { Field } from '../Field.tsx'
import { EditDrawer } from '../form/EditDrawer.tsx'
import { toDraft } from '../form.ts'
import { notify } from '../notify.ts'
import type { EntityCalls, EntityField, EntityRow } from './entity-types.ts'
import { controlFor } from './schema-controls.tsx'

/** The form holds other values than the row. */
export type FormConversion<C extends EntityCalls> = {
  toForm: (row: EntityRow<C>) => Record<string, unknown>
  toDraft: (values: Record<string, unknown>, source: EntityRow<C> | undefined) => Record<string, unknown>
}

type Props<C extends EntityCalls, D extends z.ZodObject> = {
  of: C
  draft: D
  title: string
  /** The row to change; undefined for a new one. */
  row: EntityRow<C> | undefined
  /** The row that the values come from: the same, or the copied one. */
  source: EntityRow<C> | undefined
  initial: Record<string, unknown>
  fields: readonly EntityField<D>[]
  conversion: FormConversion<C> | undefined
  /** Above the fields. */
  top?: ReactNode
  size?: string | undefined
  readOnly: boolean
  onClose: () => void
}

type ItemProps<D extends z.ZodObject> = { draft: D; item: EntityField<D>; isFirst: boolean }

const EntityFormField = <D extends z.ZodObject>({ draft, item, isFirst }: ItemProps<D>) => {
  if (isValidElement(item)) return item
  const { name, help, disabled, control } = typeof item === 'string' ? { name: item } : item
  // See ui/form.ts fieldIssues for the type of a shape.
  const schema = draft.shape[name] as unknown as z.ZodType
  const made = controlFor(schema, { ...(disabled && { disabled }), ...(isFirst && { autoFocus: true }) })
  const own = control && { control }
  const { control: shown, valuePropName } = { ...made, ...own }
  return (
    <Field of={draft} name={name} extra={help} {...(valuePropName && { valuePropName })}>
      {shown}
    </Field>
  )
}

/** Creates a row, or changes the given one with a version check. */
export const EntityDrawer = <C extends EntityCalls, D extends z.ZodObject>(props: Props<C, D>) => {
  const { of, draft, title, row, source, initial, fields, conversion, top, size, readOnly, onClose } = props
  const { t } = useTranslation()
  const create = useApiMutation(of.create, { fieldsInline: true })
  const update = useApiMutation(of.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const given = conversion ? conversion.toDraft(values, source) : values
    const body = toDraft(draft, given)
    const { id, version } = (row ?? {}) as { id?: number; version?: number }
    // The calls are those of one declaration, so their bodies are made of this draft.
    if (row) await update.mutateAsync({ body: { ...body, id, version: newer ?? version } } as never)
    else await create.mutateAsync({ body } as never)
    notify.success(t(row ? 'list.saved' : 'list.created'))
  }
  const first = fields.findIndex((item) => !isValidElement(item))
  return (
    <EditDrawer
      title={title}
      initialValues={initial}
      save={save}
      reading={readAs(of.get.data, conversion && ((found) => conversion.toForm(found as EntityRow<C>)))}
      onClose={onClose}
      readOnly={readOnly}
      {...(size && { size })}
    >
      {top}
      {fields.map((item, at) => (
        <EntityFormField
          key={typeof item === 'string' ? item : isValidElement(item) ? `element ${at}` : item.name}
          draft={draft}
          item={item}
          isFirst={!row && at === first}
        />
      ))}
    </EditDrawer>
  )
}
