import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type Page, type PageQuery, sortNames } from '@tocsin/contract/page'
import { Button, Flex, Pagination, Skeleton } from 'antd'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { inlineError } from '#api/query.ts'
import type { Column } from '../column.tsx'
import { ColumnsButton } from '../columns/ColumnsButton.tsx'
import { useColumns } from '../columns/use-columns.ts'
import { ErrorState } from '../ErrorState.tsx'
import { useMedium } from '../responsive/media.ts'
import { FilterBar } from './FilterBar.tsx'
import { useListCount } from './list-count.ts'
import { ListResourceContext } from './list-resource-context.ts'
import { EmptyList, Rows } from './rows/Rows.tsx'
import { Toolbar } from './Toolbar.tsx'
import { pageInstead, useFilterSearch, useUrlQuery } from './url-query.ts'
import { useVisible } from './use-visible.ts'

/** Rows can be selected for a bulk action. */
export type RowSelection<Row> = {
  /** Why a row cannot be chosen. */
  why?: ((row: Row) => string | undefined) | undefined
  name: (row: Row) => string
  /** Beside the buttons on the left. */
  bar: (rows: readonly Row[], clear: () => void) => ReactNode
}

type Props<S extends z.ZodObject, Row> = {
  /** The query schema of the list's endpoint. */
  query: S
  /** `(query) => read(endpoint, {query})`. */
  source: (
    query: z.output<S>,
  ) => Pick<UseQueryOptions<Page<Row>, Error, Page<Row>, readonly unknown[]>, 'queryKey' | 'queryFn'>
  /** Refetches at this interval in milliseconds while visible; for data without events. */
  everyMs?: number
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  filters?: ReactNode
  /** Buttons at the right end above the rows, the most important one first. */
  left?: ReactNode
  actions?: (row: Row) => ReactNode
  onOpen?: (row: Row) => void
  /** Details of a row, below it. */
  expand?: (row: Row) => ReactNode
  /** An ExportButton. */
  exporting?: (query: z.output<S>) => ReactNode
  picking?: RowSelection<Row> | undefined
  /** Shown when there is nothing at all, with the next step. */
  empty: { text: string; next?: ReactNode }
}

const PAGE = new Set(['pageNo', 'pageNum', 'pageSize', 'orderBy'])
/** Fills a window of 900 px. */
const DEFAULT_PAGE_SIZE = 20
const PAGE_SIZES = [10, 20, 30, 50, 100, 200]
/** What a search keeps; only fields that the query has, since the address is refused with others. */
const keptOf = <Q extends object>(query: Q): Partial<Q> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name === 'pageSize' || name === 'orderBy')) as Partial<Q>

/** As many pages as the pager lists by number: with more, the number is typed. */
const NAMED = 7

type PagesProps = {
  current: number
  pageSize: number
  found: Pick<Page<unknown>, 'total' | 'capped'> | undefined
  onChange: (no: number, size: number) => void
}

/** The pager, right after the rows. */
const Pages = ({ found, ...place }: PagesProps) => {
  const { t } = useTranslation()
  const known = useDeferredValue(found ?? null, null)
  const narrow = !useMedium()
  if (!known || known.total === 0) return null
  return (
    <Pagination
      {...place}
      align="end"
      total={known.total}
      pageSizeOptions={PAGE_SIZES}
      showSizeChanger
      showLessItems={narrow}
      showQuickJumper={known.total > NAMED * place.pageSize}
      showTotal={(total) => t(known.capped ? 'list.totalCapped' : 'list.total', { total })}
    />
  )
}

/** A list with pages: filters and page are in the address; the previous page stays until the next is loaded. */
export const ListPage = <S extends z.ZodObject, Row extends object>(props: Props<S, Row>) => {
  const { t } = useTranslation()
  const [query, setQuery] = useUrlQuery(props.query)
  const source = props.source({ pageSize: DEFAULT_PAGE_SIZE, ...query })
  const cards = !useMedium()
  const visible = useVisible()
  const { data, error, isFetching, isPending, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...source,
    ...(cards && inlineError),
    placeholderData: keepPreviousData,
    refetchInterval: visible && props.everyMs !== undefined && props.everyMs,
  })
  // The query of every list extends PageQuery (DESIGN 5).
  const { pageNo = 1, pageSize = DEFAULT_PAGE_SIZE, orderBy } = query as PageQuery & { orderBy?: string }
  const instead = data && !isPlaceholderData ? pageInstead(data, { pageNo, pageSize }) : undefined
  useEffect(() => {
    if (instead !== undefined) setQuery({ ...query, pageNo: instead } as z.output<S>, { replace: true })
  }, [instead, query, setQuery])
  const filtered = Object.keys(query).some((name) => !PAGE.has(name))
  const kept = useMemo(() => keptOf(query), [query])
  const search = useFilterSearch(props.query, { query, setQuery, kept })
  useListCount(data)
  const list = String(source.queryKey[1])
  const offset = (pageNo - 1) * pageSize
  const { all, shown, choice } = useColumns(list, { columns: props.columns, rows: data?.list, offset })
  const columns = cards ? props.columns : shown
  const turn = (no: number, size: number) =>
    setQuery({ ...query, pageNo: size === pageSize ? no : 1, pageSize: size } as z.output<S>)

  const { picking, rowKey } = props
  const sorting = useMemo(
    () => ({
      names: sortNames(props.query),
      orderBy,
      onSort: (next: string | undefined) => setQuery({ ...query, pageNo: undefined, orderBy: next } as z.output<S>),
    }),
    [props.query, orderBy, query, setQuery],
  )
  const [keys, setKeys] = useState<(string | number)[]>([])
  // Only rows of the visible page: another page starts empty.
  const picked = useMemo(
    () => (data?.list ?? []).filter((row) => keys.includes(rowKey(row))),
    [data?.list, keys, rowKey],
  )
  // Up to 200 rows: rendered again when they change, not when they are refetched.
  const rows = useMemo(() => {
    if (!data || instead !== undefined) return null
    const empty = filtered ? (
      <EmptyList
        text={t('list.emptyFiltered')}
        next={<Button onClick={() => search({})}>{t('list.clearFilters')}</Button>}
      />
    ) : (
      <EmptyList {...props.empty} />
    )
    return (
      <Rows
        rows={data.list}
        columns={columns}
        rowKey={props.rowKey}
        actions={props.actions}
        onOpen={props.onOpen}
        expand={props.expand}
        sorting={sorting}
        picking={
          props.picking && {
            keys: picked.map(props.rowKey),
            onPick: setKeys,
            why: props.picking.why ?? (() => undefined),
            name: props.picking.name,
          }
        }
        empty={empty}
      />
    )
  }, [props, columns, sorting, data, instead, picked, filtered, search, t])
  return (
    <Flex vertical gap="small" className="list-page">
      {props.filters && (
        <FilterBar values={query} onSearch={search} onRepeat={() => void refetch()}>
          {props.filters}
        </FilterBar>
      )}
      <Toolbar
        left={picking?.bar(picked, () => setKeys([]))}
        right={props.left}
        updatedAt={dataUpdatedAt}
        failed={error !== null}
        busy={isFetching}
        onRefresh={() => void refetch()}
        exporting={props.exporting?.(query)}
        columns={<ColumnsButton list={list} columns={all} choice={choice} />}
        cards={cards}
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {(isPending || instead !== undefined) && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {rows && (
        // Data of another filter does not answer this one.
        <div className="list-rows" data-old={isPlaceholderData} aria-busy={isPlaceholderData}>
          <ListResourceContext value={String(source.queryKey[0])}>{rows}</ListResourceContext>
        </div>
      )}
      <Pages current={pageNo} pageSize={pageSize} found={data} onChange={turn} />
    </Flex>
  )
}
