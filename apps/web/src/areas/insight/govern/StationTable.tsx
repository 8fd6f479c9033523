import { type GovernQuery, governs, type StationSteps } from '@tocsin/contract/insight/govern'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { formatSteps, TableHead } from './TableHead.tsx'

const Stations = ({ stations }: { stations: readonly StationSteps[] }) => {
  const { t } = useTranslation()
  return (
    <section className="chart-panel">
      <TableHead
        title={t('govern.stations')}
        subtitle="P50 / P90 (s)"
        toSheet={() => ({
          headings: [t('govern.station'), t('govern.count'), t('govern.claimed'), t('govern.onSite')],
          rows: stations.map(({ name, n, claimed, onSite }) => [name, n, formatSteps(claimed), formatSteps(onSite)]),
        })}
      />
      <ScrollTable
        size="small"
        pagination={{ pageSize: 10, showSizeChanger: false, hideOnSinglePage: true }}
        rowKey="deptId"
        dataSource={[...stations]}
        columns={[
          { title: t('govern.station'), dataIndex: 'name' },
          { title: t('govern.count'), dataIndex: 'n', align: 'end' },
          { title: t('govern.claimed'), align: 'end', render: (_, row) => formatSteps(row.claimed) },
          { title: t('govern.onSite'), align: 'end', render: (_, row) => formatSteps(row.onSite) },
        ]}
      />
    </section>
  )
}

/** How fast the alarms of each station's schools were claimed and reached; read apart from the figures above. */
export const StationTable = ({ query, refetchMs }: { query: GovernQuery; refetchMs: number }) => {
  const stations = useQuery({
    ...inlineQuery(governs.stations, { query }),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
  return <QueryResult query={stations}>{(rows) => (rows.length > 0 ? <Stations stations={rows} /> : null)}</QueryResult>
}
