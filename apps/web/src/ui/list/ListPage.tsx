import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Page, PageQuery } from '@tocsin/contract/page'
import { Button, Flex, Pagination, Skeleton } from 'antd'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { inlineError } from '#api/query.ts'
import type { Column } from '../column.tsx'
import { ErrorState } from '../ErrorState.tsx'
import { useMedium } from '../responsive/media.ts'
import { FilterBar } from './FilterBar.tsx'
import { ListResourceContext } from './list-resource-context.ts'
import { EmptyList, Rows } from './Rows.tsx'
import { Toolbar } from './Toolbar.tsx'
import { pageInstead, useUrlQuery } from './url-query.ts'
import { useVisible } from './use-visible.ts'

/** Rows can be chosen, and something done with those that are. */
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
  /** Reads again each so many milliseconds while somebody can see it; for what no event tells. */
  everyMs?: number
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  filters?: ReactNode
  /** Buttons on the left above the rows. */
  left?: ReactNode
  actions?: (row: Row) => ReactNode
  onOpen?: (row: Row) => void
  /** More of a row, below it. */
  expand?: (row: Row) => ReactNode
  /** An ExportButton. */
  exporting?: (query: z.output<S>) => ReactNode
  picking?: RowSelection<Row> | undefined
  /** Said when there is nothing at all, with what to do about it. */
  empty: { text: string; next?: ReactNode }
}

const PAGE = new Set(['pageNo', 'pageNum', 'pageSize'])
const PAGE_SIZES = [10, 20, 30, 50, 100, 200]
/** As many pages as the pager names one by one: with more, one is typed. */
const NAMED = 7

type PagesProps = {
  current: number
  pageSize: number
  found: Pick<Page<unknown>, 'total' | 'capped'> | undefined
  onChange: (no: number, size: number) => void
}

/** The way to the other pages, right after the rows: nobody waits for it. */
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

/** A list by page: filters and page in the address, the page before stays until the next has come. */
export const ListPage = <S extends z.ZodObject, Row extends object>(props: Props<S, Row>) => {
  const { t } = useTranslation()
  const [query, setQuery] = useUrlQuery(props.query)
  const source = props.source(query)
  const cards = !useMedium()
  const visible = useVisible()
  const { data, error, isFetching, isPending, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...source,
    ...(cards && inlineError),
    placeholderData: keepPreviousData,
    refetchInterval: visible && props.everyMs !== undefined && props.everyMs,
  })
  // The query of every list extends PageQuery (DESIGN 5).
  const { pageNo = 1, pageSize = 10 } = query as PageQuery
  const instead = data && !isPlaceholderData ? pageInstead(data, { pageNo, pageSize }) : undefined
  useEffect(() => {
    if (instead !== undefined) setQuery({ ...query, pageNo: instead } as z.output<S>, { replace: true })
  }, [instead, query, setQuery])
  const filtered = Object.keys(query).some((name) => !PAGE.has(name))
  // Values come from the form of this very schema; the address encodes and checks them.
  const search = useCallback(
    (values: Record<string, unknown>) => setQuery({ ...values, pageSize } as z.output<S>),
    [setQuery, pageSize],
  )
  const turn = (no: number, size: number) =>
    setQuery({ ...query, pageNo: size === pageSize ? no : 1, pageSize: size } as z.output<S>)

  const { picking, rowKey } = props
  const [keys, setKeys] = useState<(string | number)[]>([])
  // Only what is on the page that is seen: whoever turns it begins anew.
  const picked = useMemo(
    () => (data?.list ?? []).filter((row) => keys.includes(rowKey(row))),
    [data?.list, keys, rowKey],
  )
  // Up to 200 rows: drawn again when they change, not when they are read again.
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
        columns={props.columns}
        rowKey={props.rowKey}
        actions={props.actions}
        onOpen={props.onOpen}
        expand={props.expand}
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
  }, [props, data, instead, picked, filtered, search, t])
  return (
    <Flex vertical gap="middle">
      {props.filters && (
        <FilterBar values={query} onSearch={search}>
          {props.filters}
        </FilterBar>
      )}
      <Toolbar
        left={
          <>
            {props.left}
            {picking?.bar(picked, () => setKeys([]))}
          </>
        }
        updatedAt={dataUpdatedAt}
        failed={error !== null}
        busy={isFetching}
        onRefresh={() => void refetch()}
        exporting={props.exporting?.(query)}
        cards={cards}
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {(isPending || instead !== undefined) && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {rows && (
        // What was asked before is no answer to what is asked now.
        <div className="list-rows" data-old={isPlaceholderData} aria-busy={isPlaceholderData}>
          <ListResourceContext value={String(source.queryKey[0])}>{rows}</ListResourceContext>
        </div>
      )}
      <Pages current={pageNo} pageSize={pageSize} found={data} onChange={turn} />
    </Flex>
  )
}
