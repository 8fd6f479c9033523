import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { HolderOutlined } from '@ant-design/icons'
import type { TFunction } from 'i18next'
import { Button, Flex, Table } from 'antd'
import {
  type HTMLAttributes,
  type Key,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { inlineError } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { type Column, tableColumn } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { useDensity } from '#ui/list/density.ts'
import { FilterBar } from '#ui/list/FilterBar.tsx'
import { ListResourceContext } from '#ui/list/list-resource-context.ts'
import type { RowSelection } from '#ui/list/ListPage.tsx'
import type { RowPicking } from '#ui/list/rows/row-types.ts'
import { EmptyList, selectionOf } from '#ui/list/rows/Rows.tsx'
import { Toolbar } from '#ui/list/Toolbar.tsx'
import { useFilterSearch, useUrlQuery } from '#ui/list/url-query.ts'
import { useMedium, useVeryWide } from '#ui/responsive/media.ts'
import type { RowAction } from '../list/RowActions.tsx'
import '../list/screens.css'
import type { Branch, SiblingEdges } from './tree.ts'
import { depthWithin, siblingEdges, firstRows, expandableKeys, siblingStep, treeOf } from './tree.ts'
import { type Moving, useTreeDrag } from './tree-drag.ts'

type Row = { id: number; parentId: number | null }

type Props<S extends z.ZodObject, R extends Row> = {
  query: S
  source: (query: z.output<S>) => Pick<UseQueryOptions<R[], Error, R[], readonly unknown[]>, 'queryKey' | 'queryFn'>
  columns: readonly Column<R>[]
  filters?: ReactNode
  left: ReactNode
  /** An ExportButton. */
  exporting?: (query: z.output<S>) => ReactNode
  /**
   * None for a reader. `steps` move the row among its siblings, for keyboard and phone; `reveal` expands it, so that
   * its children are visible.
   */
  actions: ((row: R, steps: RowAction[], reveal: () => void) => ReactNode) | undefined
  /** Lets users move rows by their handle. */
  moving?: Moving<R> | undefined
  /** Each row is selected by itself, independent of its descendants. */
  picking?: RowSelection<R> | undefined
  /** The depth to which the tree is expanded initially, unless the list gets long. */
  openDepth: number
  empty: { text: string; next?: ReactNode }
}

/** A constant, so that missing rows do not look like new rows. */
const none: never[] = []

type TableProps<R extends Row> = Pick<Props<z.ZodObject, R>, 'columns' | 'actions' | 'moving'> & {
  rows: readonly R[]
  nodes: Branch<R>[]
  open: readonly Key[]
  setOpen: (open: readonly Key[]) => void
  reveal: (id: number) => void
  picking: RowPicking<Branch<R>> | undefined
  loading: boolean
  empty: ReactNode
}

type Stepping<R extends Row> = { moving: Moving<R>; ends: SiblingEdges; t: TFunction }

const steps = <R extends Row>(rows: readonly R[], row: R, { moving, ends, t }: Stepping<R>): RowAction[] => {
  const step = (by: -1 | 1, key: 'up' | 'down'): RowAction => ({
    key,
    label: t(`system.${key}`),
    run: () => {
      const place = siblingStep(rows, row, by)
      if (place) moving.move(row, place)
    },
  })
  return [...(ends.first.has(row.id) ? [] : [step(-1, 'up')]), ...(ends.last.has(row.id) ? [] : [step(1, 'down')])]
}

const named = (name: ReactNode) => <div className="tree-name">{name}</div>

const Handle = (take: HTMLAttributes<HTMLElement>) => {
  const { t } = useTranslation()
  return (
    <span className="drag-handle" title={t('system.drag')} {...take}>
      <HolderOutlined aria-hidden />
    </span>
  )
}

const TreeTable = <R extends Row>(props: TableProps<R>) => {
  const { columns, actions, moving, rows, nodes, open, setOpen, reveal, picking, loading, empty } = props
  const { t } = useTranslation()
  const { handle, target } = useTreeDrag(rows, moving)
  const lang = useLang()
  const { density } = useDensity()
  const xl = useVeryWide()
  const md = useMedium()
  const held = moving !== undefined && md
  // The same objects while their inputs are, so that a cell renders only when its own row changed.
  const shown = useMemo(
    () =>
      columns
        // On a phone the name has room for the status beside it.
        .filter((column) => (md ? xl || !column.wideOnly : column.main || column.key === 'status'))
        .map((col) => tableColumn(col.main ? { ...col, render: (row: R) => named(col.render(row)) } : col, lang)),
    [columns, lang, md, xl],
  )
  const all = useMemo(() => {
    const ends = siblingEdges(rows)
    const first = { key: 'handle', width: 32, render: (_: unknown, row: R) => <Handle {...handle(row)} /> }
    const last = {
      key: 'actions',
      title: md ? t('list.operations') : '',
      fixed: 'end' as const,
      render: (_: unknown, row: R) =>
        actions?.(row, moving ? steps(rows, row, { moving, ends, t }) : [], () => reveal(row.id)),
    }
    return [...(held ? [first] : []), ...shown, ...(actions ? [last] : [])]
  }, [shown, rows, actions, moving, held, handle, reveal, md, t])
  // antd subtracts one from a given number when there is a column of checkboxes, because it counts that too.
  const expandIconColumnIndex = (held ? 1 : 0) + (picking ? 2 : 0)
  return (
    <Table<Branch<R>>
      size={density}
      rowKey="id"
      columns={all}
      onRow={target}
      dataSource={nodes}
      loading={loading}
      pagination={false}
      scroll={{ x: 'max-content' }}
      indentSize={md ? 20 : 12}
      locale={{ emptyText: empty }}
      {...(picking && {
        // No "select all": collapsed branches hide what it would include.
        rowSelection: { ...selectionOf(picking, (name) => t('list.pick', { name })), hideSelectAll: true },
      })}
      expandable={{ expandedRowKeys: open, onExpandedRowsChange: setOpen, expandIconColumnIndex }}
    />
  )
}

/** A city has thousands of departments: rendered all at once they would block the page for seconds. */
const ROOM = 100

/** Reaches above the end of the rendered rows, so that more are rendered before the user gets there. */
const Further = ({ onNear }: { onNear: () => void }) => {
  const end = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && near())
    if (end.current) watch.observe(end.current)
    return () => watch.disconnect()
  }, [])
  return <div ref={end} className="tree-further" />
}

/** The expanded branches, and how far down their rows are rendered. */
const useBranches = <R extends Row>(nodes: Branch<R>[], filtered: boolean, openDepth: number) => {
  // As first loaded: a new row must not collapse what the user looks at.
  const [depth, setDepth] = useState<number>()
  if (depth === undefined && !filtered && nodes.length > 0) setDepth(depthWithin(nodes, openDepth))
  const [chosen, setChosen] = useState<readonly Key[]>()
  const [revealed, setRevealed] = useState<readonly Key[]>([])
  const reveal = useCallback((id: number) => setRevealed((now) => [...now, id]), [])
  const setOpen = useCallback((next: readonly Key[] | undefined) => {
    setChosen(next)
    setRevealed([])
  }, [])
  const every = useMemo(() => expandableKeys(nodes, Infinity), [nodes])
  // Matches must not be hidden in a collapsed branch.
  const open = useMemo(
    () => [...(chosen ?? (filtered ? every : expandableKeys(nodes, depth ?? 0))), ...revealed],
    [chosen, filtered, every, nodes, depth, revealed],
  )
  const [room, setRoom] = useState(ROOM)
  const opened = useMemo(() => new Set(open), [open])
  const drawn = useMemo(() => firstRows(nodes, opened, room), [nodes, opened, room])
  const openAll = useCallback(
    (next: readonly Key[] | undefined) => {
      setOpen(next)
      setRoom(ROOM)
    },
    [setOpen],
  )
  const isOpen = every.length > 0 && every.every((id) => opened.has(id))
  const more = () => startTransition(() => setRoom(room + ROOM))
  const further = drawn.whole ? null : <Further key={room} onNear={more} />
  return { open, setOpen, openAll, reveal, every, isOpen, drawn, further }
}

/** A list that is a tree: loaded completely, filters in the address. */
export const TreeList = <S extends z.ZodObject, R extends Row>(props: Props<S, R>) => {
  const { t } = useTranslation()
  const [query, setQuery] = useUrlQuery(props.query)
  const source = { ...props.source(query), ...(!useMedium() && inlineError) }
  const { data, error, isFetching, isPending, dataUpdatedAt, refetch } = useQuery(source)
  const nodes = useMemo(() => treeOf(data ?? none), [data])
  const filtered = Object.keys(query).length > 0
  const { open, setOpen, openAll, reveal, every, isOpen, drawn, further } = useBranches(
    nodes,
    filtered,
    props.openDepth,
  )
  const filter = useFilterSearch(props.query, { query, setQuery })
  const search = useCallback(
    (values: Record<string, unknown>) => {
      openAll(undefined)
      return filter(values)
    },
    [filter, openAll],
  )
  const [keys, setKeys] = useState<(string | number)[]>([])
  // Only loaded and visible rows.
  const picked = useMemo(() => (data ?? none).filter(({ id }) => keys.includes(id)), [data, keys])
  const { columns, actions, moving, picking } = props
  const empty = isPending ? (
    <EmptyList text={t('shell.loading')} />
  ) : filtered ? (
    <EmptyList
      text={t('list.emptyFiltered')}
      next={<Button onClick={() => search({})}>{t('list.clearFilters')}</Button>}
    />
  ) : (
    <EmptyList {...props.empty} />
  )
  const said = nodes.length === 0 ? empty : null
  // Hundreds of rows: rendered again when they change, not when they are refetched or a branch above expands.
  const table = useMemo(
    () => (
      <TreeTable
        columns={columns}
        actions={actions}
        // In a filtered tree the siblings of a row are unknown.
        moving={filtered ? undefined : moving}
        rows={data ?? none}
        nodes={drawn.nodes}
        open={open}
        setOpen={setOpen}
        reveal={reveal}
        picking={
          picking && {
            keys: picked.map(({ id }) => id),
            onPick: setKeys,
            why: picking.why ?? (() => undefined),
            name: picking.name,
          }
        }
        loading={isPending}
        empty={said}
      />
    ),
    [columns, actions, moving, picking, data, drawn, open, setOpen, reveal, picked, filtered, isPending, said],
  )
  const left = (
    <>
      {props.left}
      {picking?.bar(picked, () => setKeys([]))}
      <Button disabled={every.length === 0} onClick={() => openAll(isOpen ? [] : every)}>
        {t(isOpen ? 'system.collapse' : 'system.expand')}
      </Button>
    </>
  )
  return (
    <Flex vertical gap="middle">
      {props.filters && (
        <FilterBar values={query} onSearch={search} onRepeat={() => void refetch()}>
          {props.filters}
        </FilterBar>
      )}
      <Toolbar
        left={left}
        updatedAt={dataUpdatedAt}
        failed={error !== null}
        busy={isFetching}
        onRefresh={() => void refetch()}
        exporting={props.exporting?.(query)}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="tree-rows">
          <ListResourceContext value={String(source.queryKey[0])}>{table}</ListResourceContext>
          {further}
        </div>
      )}
    </Flex>
  )
}
