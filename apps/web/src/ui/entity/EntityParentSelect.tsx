import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '@tocsin/contract/endpoint'
import type { ComponentProps } from 'react'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { ParentSelect } from '../tree/ParentSelect.tsx'
import type { NameOf } from './entity-types.ts'

export type TreeRow = { id: number; parentId: number | null }

type Props = Partial<ComponentProps<typeof ParentSelect>> & {
  list: Endpoint
  /** The row whose parent is chosen; undefined for a new one. */
  moved: object | undefined
  nameOf: NameOf<TreeRow>
}

/** The parent of a row of a tree. */
export const EntityParentSelect = ({ list, moved, nameOf, ...rest }: Props) => {
  const lang = useLang()
  const { data = [] } = useQuery(queryFor(list, { query: {} } as never))
  const rows = (data as TreeRow[]).map((row) => ({ id: row.id, parentId: row.parentId, name: nameOf(row, lang) }))
  const { id } = (moved ?? {}) as Partial<TreeRow>
  return <ParentSelect {...rest} rows={rows} moving={rows.find((row) => row.id === id)} />
}
