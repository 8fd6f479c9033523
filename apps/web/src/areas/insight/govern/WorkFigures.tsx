import { type Compliance, type GovernQuery, type GovernWork, governs } from '@tocsin/contract/insight/govern'
import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { Chart } from '#ui/chart/Chart.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { StatFigure } from '../home/StatFigure.tsx'

const ReadinessChart = ({ bands: { low, fair, good } }: { bands: NonNullable<GovernWork['readiness']> }) => {
  const { t } = useTranslation()
  const list = usePathOf()('insight/readiness')
  const rows = useMemo(
    () =>
      [
        [`< ${LOW_READINESS}`, low],
        [`${LOW_READINESS}–${GOOD_READINESS - 1}`, fair],
        [`≥ ${GOOD_READINESS}`, good],
      ] as const,
    [low, fair, good],
  )
  const option = useMemo(
    () => ({
      grid: { top: 16, left: 8, right: 16, bottom: 4, outerBoundsMode: 'same' as const },
      xAxis: { type: 'category', data: rows.map(([band]) => band) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        { type: 'bar', data: rows.map(([, count]) => count), label: { show: true, position: 'top' }, barMaxWidth: 64 },
      ],
    }),
    [rows],
  )
  const limit = LOW_READINESS
  return (
    <Chart
      title={low > 0 ? t('govern.readinessLow', { n: low, limit }) : t('govern.readinessFine', { limit })}
      subtitle={t('govern.readiness')}
      option={option}
      table={{ headings: [t('govern.readinessBand'), t('govern.schoolCount')], rows }}
      {...(list && { to: low > 0 ? `${list}?low=true` : list })}
    />
  )
}

type ComplianceFigureProps = { name: string; part: Compliance; to: string | undefined; hasLate?: boolean }

/** The share of what was due that was done as planned. */
const ComplianceFigure = ({ name, part: { done, late, missed }, to, hasLate = false }: ComplianceFigureProps) => {
  const { t } = useTranslation()
  const due = done + late + missed
  const describe = () => (hasLate ? t('govern.shiftsMore', { late, missed }) : t('govern.missed', { missed, n: due }))
  return (
    <StatFigure
      name={name}
      value={due === 0 ? null : Math.floor((100 * done) / due)}
      more={due === 0 ? t('govern.nothingDue') : describe()}
      to={to}
    />
  )
}

const Figures = ({ work, from }: { work: GovernWork; from: Date }) => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const records = pathOf('warn/record/index')
  const orders = pathOf('supervise/index')
  const { shifts, patrols, tests, drills } = work
  return (
    <div className="home-figures">
      {shifts && <ComplianceFigure name={t('govern.shifts')} part={shifts} to={pathOf('security/shift')} hasLate />}
      {patrols && <ComplianceFigure name={t('govern.patrols')} part={patrols} to={pathOf('security/patrol')} />}
      {tests && <ComplianceFigure name={t('govern.tests')} part={tests} to={pathOf('device/test')} />}
      {drills !== null && (
        <StatFigure
          name={t('govern.drills')}
          value={drills}
          to={records && `${records}?mode=DRILL&from=${from.getTime()}`}
        />
      )}
      {work.orders && (
        <StatFigure
          name={t('govern.redOrders')}
          value={work.orders.red}
          tone="warn"
          more={t('govern.otherOrders', work.orders)}
          to={orders && `${orders}?light=RED`}
        />
      )}
    </div>
  )
}

type WorkFiguresProps = { query: GovernQuery; from: Date; refetchMs: number }

/** Duty, patrols, tests, drills, orders and readiness: read apart, so that the alarms never wait for them. */
export const WorkFigures = ({ query, from, refetchMs }: WorkFiguresProps) => {
  const { t } = useTranslation()
  const work = useQuery({
    ...inlineQuery(governs.work, { query }),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={t('govern.work')} className="govern-work">
      <h2 className="govern-heading">{t('govern.work')}</h2>
      <QueryResult query={work}>
        {(data) => (
          <>
            <Figures work={data} from={from} />
            {data.readiness && <ReadinessChart bands={data.readiness} />}
          </>
        )}
      </QueryResult>
    </section>
  )
}
