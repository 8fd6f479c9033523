import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Page } from '@tocsin/contract/page'
import { Flex, Typography } from 'antd'
import { Link, useNavigate } from 'react-router'
import { inlineError } from '#api/query.ts'
import type { Column } from '../column.tsx'
import { Rows } from '../list/rows/Rows.tsx'
import { QueryResult } from '../result/QueryResult.tsx'

/** How many rows a page shows of another list. */
export const RELATED_PAGE = { pageSize: 10 }

type Props<Row> = {
  /** `queryFor(endpoint, {query: {…, ...RELATED_PAGE}})` */
  source: Pick<UseQueryOptions<Page<Row>, Error, Page<Row>, readonly unknown[]>, 'queryKey' | 'queryFn'>
  /** Refetches at this interval in milliseconds; for data without events. */
  everyMs?: number
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** The address of a row. */
  toRow: (row: Row) => string
  /** The whole list, with filters and actions. */
  all: { to: string; label: string }
  empty: string
}

/** The first rows of another list that belong to the subject of this page, and a link to all of them. */
export const RelatedRows = <Row extends object>(props: Props<Row>) => {
  const { source, everyMs = false, columns, rowKey, toRow, all, empty } = props
  const navigate = useNavigate()
  const query = useQuery({ ...source, ...inlineError, refetchInterval: everyMs })
  return (
    <QueryResult query={query}>
      {({ list, total, capped }) => (
        <Flex vertical gap="small">
          {list.length === 0 ? (
            <Typography.Text type="secondary">{empty}</Typography.Text>
          ) : (
            <Rows
              rows={list}
              columns={columns}
              rowKey={rowKey}
              actions={undefined}
              onOpen={(row) => void navigate(toRow(row))}
              expand={undefined}
              empty={null}
            />
          )}
          <Link to={all.to}>{list.length < total ? `${all.label} (${total}${capped ? '+' : ''})` : all.label}</Link>
        </Flex>
      )}
    </QueryResult>
  )
}
