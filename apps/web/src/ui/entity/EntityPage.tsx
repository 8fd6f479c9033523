import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { ExportButton } from '../export/ExportButton.tsx'
import { bulkDeletion } from '../list/bulk-deletion.tsx'
import { createdEnds, withCreated } from '../list/created-range.ts'
import { ListPage } from '../list/ListPage.tsx'
import { type RowAction, RowActions } from '../list/RowActions.tsx'
import { useDeletion } from '../prompt/use-deletion.ts'
import { EntityDrawer, type FormConversion } from './EntityDrawer.tsx'
import { EntityFilters } from './EntityFilters.tsx'
import { EntityTree } from './EntityTree.tsx'
import { toColumns } from './entity-columns.tsx'
import type { EntityCalls, EntityColumn, EntityField, EntityFilter, EntityRow, NameOf } from './entity-types.ts'

type Query = Record<string, unknown>

type Props<C extends EntityCalls, D extends z.ZodObject> = {
  of: C
  draft: D
  nameOf: NameOf<EntityRow<C>>
  /** The first one heads the card of a row on a phone. */
  columns: readonly EntityColumn<EntityRow<C>>[]
  filters?: readonly EntityFilter<C>[]
  fields: readonly EntityField<D>[] | ((row: EntityRow<C> | undefined) => readonly EntityField<D>[])
  /** Values of a new row. */
  initial?: Record<string, unknown>
  /** Part of the query that is not chosen by filters. */
  fixed?: Record<string, unknown>
  /** Buttons beside "new". */
  left?: ReactNode
  /** Before "new". */
  leading?: ReactNode
  /** Further actions of a row, before "edit". */
  actions?: (row: EntityRow<C>) => readonly (RowAction | false)[]
  /** Tells whether a row can be changed; by default every row. */
  canEdit?: (row: EntityRow<C>) => boolean
  /** Why a row cannot be deleted. */
  whyKept?: (row: EntityRow<C>) => string | undefined
  /** Offers a new row with the values of another: those that differ. */
  copied?: (row: EntityRow<C>) => Record<string, unknown>
  conversion?: FormConversion<C>
  /** Above the fields of the form. */
  formTop?: (row: EntityRow<C> | undefined, onCopy: () => void) => ReactNode
  formSize?: string
  /** A click on a row opens it. */
  opensOnClick?: boolean
  empty?: string
}

type Open<R> = { what: 'new'; below?: number } | { what: 'edit' | 'copy'; row: R }

/** As it stands inside a sentence. */
const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title

const useTitles = ({ page: { titles } }: EntityCalls) => {
  const isEnglish = useLang() === 'en'
  const { title = '', titleEn = '', titlesEn = '' } = titles ?? {}
  return isEnglish ? { one: titleEn, many: inSentence(titlesEn) } : { one: title, many: title }
}

const usePermissions = (of: EntityCalls) => ({
  mayCreate: useHasPermission(of.create?.permission ?? of.page.permission) && of.create !== undefined,
  mayUpdate: useHasPermission(of.update?.permission ?? of.page.permission) && of.update !== undefined,
  mayDelete: useHasPermission(of.delete?.permission ?? of.page.permission) && of.delete !== undefined,
  mayExport: useHasPermission(of.export?.permission ?? of.page.permission) && of.export !== undefined,
})

/** The query in the address: the two ends of a period, and nothing that the screen fixes. */
const toUrlSchema = (query: z.ZodObject, fixed: readonly string[]): z.ZodObject => {
  const left = Object.entries(query.shape).filter(([name]) => name !== 'createTime' && !fixed.includes(name))
  return z.strictObject({ ...Object.fromEntries(left), ...('createTime' in query.shape && createdEnds) })
}

/** The list of an entity with its form: everything follows the calls that exist and the permissions of the user. */
export const EntityPage = <C extends EntityCalls, D extends z.ZodObject>(props: Props<C, D>) => {
  type Row = EntityRow<C> & { id: number }
  const { of, draft, nameOf, columns, filters = [], fields, initial = {}, fixed, actions, copied, conversion } = props
  const { t } = useTranslation()
  const lang = useLang()
  const titles = useTitles(of)
  const { mayCreate, mayUpdate, mayDelete, mayExport } = usePermissions(of)
  const [open, setOpen] = useState<Open<Row>>()
  // Without a call to delete rows there is no such action.
  const remove = useDeletion(of.delete ?? of.get)
  const query = of.page.query
  const shownColumns = useMemo(() => toColumns(of.get.data, draft, columns), [of, draft, columns])
  const fixedNames = Object.keys(fixed ?? {}).join()
  const inUrl = useMemo(() => toUrlSchema(query, fixedNames.split(',')), [query, fixedNames])
  const toQuery = (given: Query): Query => ({ ...withCreated(given), ...fixed })
  const row = open?.what === 'edit' ? open.row : undefined
  const name = (of: Row) => nameOf(of, lang)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  const rowActions = (item: Row): readonly (RowAction | false)[] => [
    ...(actions?.(item) ?? []),
    (props.canEdit?.(item) ?? true) && {
      key: 'edit',
      label: t(mayUpdate ? 'list.edit' : 'list.detail'),
      run: () => setOpen({ what: 'edit', row: item }),
    },
    of.list !== undefined &&
      mayCreate && {
        key: 'below',
        label: t('system.createBelow'),
        run: () => setOpen({ what: 'new', below: item.id }),
      },
    copied !== undefined &&
      mayCreate && { key: 'copy', label: t('list.copy'), run: () => setOpen({ what: 'copy', row: item }) },
    mayDelete && {
      key: 'delete',
      label: t('list.delete'),
      run: () => void remove(item.id, name(item)),
      danger: true,
      why: props.whyKept?.(item),
    },
  ]
  const title = () => {
    if (!row) return t('list.newOf', { title: titles.one })
    return mayUpdate ? t('list.editOf', { title: titles.one, name: name(row) }) : name(row)
  }
  const picking =
    of.deleteList && bulkDeletion<Row>(mayDelete, { of: of.deleteList, name, why: props.whyKept as never })
  const list = {
    filters: filters.length > 0 && <EntityFilters<C> query={inUrl} filters={filters} />,
    left: (
      <>
        {props.leading}
        {create}
        {props.left}
      </>
    ),
    exporting: (given: Query) =>
      mayExport && of.export && <ExportButton calls={of as never} query={toQuery(given) as never} />,
    empty: { text: props.empty ?? t('list.noneOf', { title: titles.many }), next: create },
  }
  const startOf = (of: Open<Row>) => {
    if (of.what === 'copy') return copied?.(of.row) ?? {}
    return { ...initial, ...(of.what === 'new' && of.below !== undefined && { parentId: of.below }) }
  }
  return (
    <>
      {of.list ? (
        <EntityTree
          {...list}
          list={of.list}
          move={mayUpdate && 'sort' in of.get.data.shape ? of.move : undefined}
          columns={shownColumns as never}
          actions={rowActions as never}
        />
      ) : (
        <ListPage
          {...list}
          query={inUrl}
          // The types of one declaration; TypeScript cannot follow them through its type parameters.
          source={(given) => queryFor(of.page, { query: toQuery(given) } as never) as never}
          columns={shownColumns as never}
          rowKey={(item: Row) => item.id}
          picking={picking}
          actions={(item: Row) => <RowActions items={rowActions(item)} />}
          {...(props.opensOnClick && { onOpen: (item: Row) => setOpen({ what: 'edit', row: item }) })}
        />
      )}
      {open && (
        <EntityDrawer<C, D>
          key={`${open.what} ${open.what === 'new' ? '' : open.row.id}`}
          of={of}
          draft={draft}
          title={title()}
          nameOf={nameOf}
          row={row}
          source={open.what === 'new' ? undefined : open.row}
          initial={startOf(open)}
          fields={typeof fields === 'function' ? fields(row) : fields}
          conversion={conversion}
          top={props.formTop?.(row, () => row && setOpen({ what: 'copy', row }))}
          size={props.formSize}
          readOnly={open.what === 'edit' && !mayUpdate}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
