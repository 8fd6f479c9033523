import type { Endpoint } from '@tocsin/contract/endpoint'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { queryFor, useApiMutation } from '#api/query.ts'
import type { Column } from '../column.tsx'
import { RowActions, type RowAction } from '../list/RowActions.tsx'
import { TreeList } from '../tree/TreeList.tsx'
import type { TreeRow } from './EntityParentSelect.tsx'

type Row = TreeRow & { version: number }

type Props = {
  list: Endpoint & { query: z.ZodObject }
  /** Undefined where the user may not move rows, or the tree has no order. */
  move: Endpoint | undefined
  columns: readonly Column<Row>[]
  filters: ReactNode
  left: ReactNode
  exporting: (query: Record<string, unknown>) => ReactNode
  actions: (row: Row) => readonly (RowAction | false)[]
  empty: { text: string; next?: ReactNode }
}

const OPEN_DEPTH = 2

/** The list of an entity whose rows have a parent. */
export const EntityTree = ({ list, move, actions, ...rest }: Props) => {
  // Without a call to move rows there is no handle.
  const { mutate } = useApiMutation(move ?? list)
  return (
    <TreeList<z.ZodObject, Row>
      {...rest}
      query={list.query}
      source={(query) => queryFor(list, { query } as never) as never}
      actions={(row, steps) => <RowActions items={[...actions(row), ...steps]} />}
      moving={
        move && {
          holds: () => true,
          move: ({ id, version }, to) => mutate({ body: { id, version, ...to } } as never),
        }
      }
      openDepth={OPEN_DEPTH}
    />
  )
}
