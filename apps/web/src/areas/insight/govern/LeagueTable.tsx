import type { Govern } from '@tocsin/contract/insight/govern'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { useRecordsOf } from './records-of.ts'
import { formatSteps, TableHead } from './TableHead.tsx'

type Props = { low: number; rate: number; high: number; max: number; text: string }

const percentOf = (value: number, max: number): string => `${max > 0 ? (100 * value) / max : 0}%`

/** A rate with its interval on the scale of all rows; the numbers stand beside it. */
const IntervalBar = ({ low, rate, high, max, text }: Props) => (
  <span className="interval">
    <span className="interval-scale" aria-hidden="true">
      <span
        className="interval-range"
        style={{ insetInlineStart: percentOf(low, max), width: percentOf(high - low, max) }}
      />
      <span className="interval-rate" style={{ insetInlineStart: percentOf(rate, max) }} />
    </span>
    <span className="interval-text">{text}</span>
  </span>
)

type Period = { from: Date; to?: Date }

const School = ({ name, to }: { name: string; to: string | undefined }) => (to ? <Link to={to}>{name}</Link> : name)

const perThousand = (rate: number): string => (rate * 1000).toFixed(1)

/** Schools by their rate of false alarms, with the interval that the data allow. */
export const LeagueTable = ({ figures, from, to }: Period & { figures: Pick<Govern, 'league'> }) => {
  const { t } = useTranslation()
  const recordsOf = useRecordsOf(from, to)
  const max = Math.max(0, ...figures.league.map(({ high }) => high))
  return (
    <section className="chart-panel">
      <TableHead
        title={t('govern.league')}
        subtitle={t('govern.leagueHelp')}
        toSheet={() => ({
          headings: [
            t('govern.rank'),
            t('govern.school'),
            t('govern.rate'),
            t('govern.interval'),
            t('govern.count'),
            t('govern.exposure'),
          ],
          rows: figures.league.map(({ rank, schoolName, rate, low, high, events, exposure }) => [
            rank,
            schoolName,
            perThousand(rate),
            `${perThousand(low)} – ${perThousand(high)}`,
            events,
            Math.round(exposure),
          ]),
        })}
      />
      <ScrollTable
        size="small"
        pagination={{ pageSize: 10, showSizeChanger: false, hideOnSinglePage: true }}
        rowKey="schoolId"
        dataSource={figures.league}
        columns={[
          { title: t('govern.rank'), dataIndex: 'rank', align: 'end' },
          {
            title: t('govern.school'),
            render: (_, row) => <School name={row.schoolName} to={recordsOf(row.schoolId)} />,
          },
          { title: t('govern.rate'), align: 'end', render: (_, row) => perThousand(row.rate) },
          {
            title: t('govern.interval'),
            render: (_, row) => (
              <IntervalBar {...row} max={max} text={`${perThousand(row.low)} – ${perThousand(row.high)}`} />
            ),
          },
          { title: t('govern.count'), dataIndex: 'events', align: 'end' },
          { title: t('govern.exposure'), align: 'end', render: (_, row) => Math.round(row.exposure) },
        ]}
      />
    </section>
  )
}

/** How fast each school's alarms were claimed and reached. */
export const SchoolTable = ({ figures, from, to }: Period & { figures: Pick<Govern, 'schools'> }) => {
  const { t } = useTranslation()
  const recordsOf = useRecordsOf(from, to)
  return (
    <section className="chart-panel">
      <TableHead
        title={t('govern.schools')}
        subtitle="P50 / P90 (s)"
        toSheet={() => ({
          headings: [t('govern.school'), t('govern.count'), t('govern.claimed'), t('govern.onSite')],
          rows: figures.schools.map(({ schoolName, n, claimed, onSite }) => [
            schoolName,
            n,
            formatSteps(claimed),
            formatSteps(onSite),
          ]),
        })}
      />
      <ScrollTable
        size="small"
        pagination={{ pageSize: 10, showSizeChanger: false, hideOnSinglePage: true }}
        rowKey="schoolId"
        dataSource={figures.schools}
        columns={[
          {
            title: t('govern.school'),
            render: (_, row) => <School name={row.schoolName} to={recordsOf(row.schoolId)} />,
          },
          { title: t('govern.count'), dataIndex: 'n', align: 'end' },
          { title: t('govern.claimed'), align: 'end', render: (_, row) => formatSteps(row.claimed) },
          { title: t('govern.onSite'), align: 'end', render: (_, row) => formatSteps(row.onSite) },
        ]}
      />
    </section>
  )
}
