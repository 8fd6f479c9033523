import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { readAs } from '../edit-conflict/remote-row.ts'
import { ErrorState } from '../ErrorState.tsx'
import { Field } from '../Field.tsx'
import { EditDrawer } from '../form/EditDrawer.tsx'
import { FormGroup } from '../form/FormGroup.tsx'
import { toDraft, toDrafts } from '../form.ts'
import { notify } from '../notify.ts'
import { TOP } from '../tree/ParentSelect.tsx'
import { childDraft } from './child-draft.ts'
import type { EntityCalls, EntityDetail, EntityField, EntityRow, NameOf } from './entity-types.ts'
import { EntityParentSelect } from './EntityParentSelect.tsx'
import { controlFor } from './schema-controls.tsx'

/** The form holds other values than the row. */
export type FormConversion<C extends EntityCalls> = {
  toForm: (row: EntityDetail<C>) => Record<string, unknown>
  toDraft: (values: Record<string, unknown>, source: EntityDetail<C> | undefined) => Record<string, unknown>
}

type Props<C extends EntityCalls, D extends z.ZodObject> = {
  of: C
  draft: D
  title: string
  nameOf: NameOf<EntityRow<C>>
  /** The row to change; undefined for a new one. */
  row: EntityRow<C> | undefined
  /** The row that the values come from: the same, or the copied one. */
  source: EntityRow<C> | undefined
  /** The values of a new row, or those that a copy does not take over. */
  initial: Record<string, unknown>
  fields: readonly EntityField<D>[]
  conversion: FormConversion<C> | undefined
  /** Above the fields. */
  top?: ReactNode
  size?: string | undefined
  readOnly: boolean
  onClose: () => void
}

type ItemsProps<D extends z.ZodObject> = {
  draft: D
  items: readonly EntityField<D>[]
  /** The field that has the focus. */
  first: string | undefined
  /** Of a tree: the control of its parent. */
  parent: ReactElement | undefined
}
type ItemProps<D extends z.ZodObject> = Omit<ItemsProps<D>, 'items'> & { item: EntityField<D> }

const EntityFormField = <D extends z.ZodObject>({ item, ...around }: ItemProps<D>) => {
  const { draft, first, parent } = around
  if (isValidElement(item)) return item
  if (typeof item === 'object' && 'group' in item) {
    const { group, fields, ...rest } = item
    return (
      <FormGroup title={group} {...rest}>
        <EntityFormFields items={fields} {...around} />
      </FormGroup>
    )
  }
  const { name, help, disabled, as, placeholder, control } = typeof item === 'string' ? { name: item } : item
  // See ui/form.ts fieldIssues for the type of a shape.
  const schema = draft.shape[name] as unknown as z.ZodType
  const made = controlFor(schema, {
    as,
    ...(disabled && { disabled }),
    ...(name === first && { autoFocus: true }),
    ...(placeholder !== undefined && { placeholder }),
  })
  const other = control ?? (name === 'parentId' ? parent : undefined)
  const own = other && { control: other }
  const { control: shown, valuePropName } = { ...made, ...own }
  return (
    <Field of={draft} name={name} extra={help} {...(valuePropName && { valuePropName })}>
      {shown}
    </Field>
  )
}

const keyOf = <D extends z.ZodObject>(item: EntityField<D>, at: number): string => {
  if (typeof item === 'string') return item
  if (isValidElement(item)) return `element ${at}`
  return 'group' in item ? item.group : item.name
}

const EntityFormFields = <D extends z.ZodObject>({ items, ...rest }: ItemsProps<D>) =>
  items.map((item, at) => <EntityFormField key={keyOf(item, at)} item={item} {...rest} />)

const firstName = <D extends z.ZodObject>([item, ...rest]: readonly EntityField<D>[]): string | undefined => {
  if (item === undefined || typeof item === 'string') return item
  if (isValidElement(item)) return firstName(rest)
  return 'group' in item ? firstName(item.fields) : item.name
}

/** The whole row to start with, where the list has only a part of it. */
const useDetail = <C extends EntityCalls>({ page, get }: C, row: EntityRow<C> | undefined) => {
  const { list } = page.data.shape
  const isPart = list.element !== get.data
  const { id } = (row ?? {}) as { id?: number }
  const { data, error, refetch } = useQuery({
    ...inlineQuery(get, { query: { id } } as never),
    enabled: isPart && id !== undefined,
    gcTime: 0,
  })
  const detail = (isPart ? data : row) as EntityDetail<C> | undefined
  const isPending = row !== undefined && detail === undefined
  return {
    detail,
    ...(isPending && {
      pending: error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />,
    }),
  }
}

/** The fields that the form has, so that others stay as they are; the rows of other tables as drafts too. */
const toNamedDraft = (draft: z.ZodObject, values: Record<string, unknown>): Record<string, unknown> => {
  const lists = Object.entries(draft.shape).flatMap(([name, schema]) => {
    const child = childDraft(schema as z.ZodType)
    // A list that may be null is no list of rows while it is.
    return child && Array.isArray(values[name]) ? [[name, toDrafts(child, values[name])] as const] : []
  })
  const whole = { ...toDraft(draft, values), ...Object.fromEntries(lists) }
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name in values))
}

/** The top of a tree is 0 in a form. */
const withTop = (values: Record<string, unknown>) => ({ ...values, parentId: values['parentId'] ?? TOP })

/** Creates a row, or changes the given one with a version check. */
export const EntityDrawer = <C extends EntityCalls, D extends z.ZodObject>(props: Props<C, D>) => {
  const { of, draft, title, row, source, initial, fields, conversion, top, size, readOnly, onClose } = props
  const { t } = useTranslation()
  const { detail, ...pending } = useDetail(of, source)
  // Rows without these calls open read-only and are never saved.
  const create = useApiMutation(of.create ?? of.page, { fieldsInline: true })
  const update = useApiMutation(of.update ?? of.page, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const given = conversion ? conversion.toDraft(values, detail) : values
    const body = toNamedDraft(draft, given)
    const { id, version } = (row ?? {}) as { id?: number; version?: number }
    // The calls are those of one declaration, so their bodies are made of this draft.
    if (row) await update.mutateAsync({ body: { ...body, id, version: newer ?? version } } as never)
    else await create.mutateAsync({ body } as never)
    notify.success(t(row ? 'list.saved' : 'list.created'))
  }
  const toForm = (found: EntityDetail<C>): Record<string, unknown> => {
    const held = conversion ? conversion.toForm(found) : (found as Record<string, unknown>)
    return of.list ? withTop(held) : held
  }
  const held = detail && toForm(detail)
  return (
    <EditDrawer
      title={title}
      initialValues={row ? { ...held } : { ...(of.list && { parentId: TOP }), ...held, ...initial }}
      save={save}
      reading={readAs(of.get.data, (found) => toForm(found as EntityDetail<C>))}
      onClose={onClose}
      readOnly={readOnly}
      {...(size && { size })}
      {...pending}
    >
      {top}
      <EntityFormFields
        draft={draft}
        items={fields}
        first={row ? undefined : firstName(fields)}
        parent={
          of.list && (
            <EntityParentSelect list={of.list} moved={row as object | undefined} nameOf={props.nameOf as never} />
          )
        }
      />
    </EditDrawer>
  )
}
