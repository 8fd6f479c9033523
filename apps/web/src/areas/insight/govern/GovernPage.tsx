import { type Govern, type GovernQuery, governs, type HopStat } from '@tocsin/contract/insight/govern'
import { queryId, queryInt } from '@tocsin/contract/codecs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, Segmented } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { inlineQuery } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { usePathOf } from '#shell/path-of.ts'
import { fromWallClock, toWallClock } from '#ui/dates/wall-clock.ts'
import { useUrlQuery } from '#ui/list/url-query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { StatFigure } from '../home/StatFigure.tsx'
import { ByClassChart, ByDayChart, CausesChart, HoursChart } from './GovernCharts.tsx'
import { HopsChart } from './HopsChart.tsx'
import { LeagueTable, SchoolTable } from './LeagueTable.tsx'
import { PlaceMap } from './PlaceMap.tsx'
import { recordsLink } from './records-of.ts'
import { StationTable } from './StationTable.tsx'
import { WorkFigures } from './WorkFigures.tsx'
import './govern.css'

const AddressQuery = z.strictObject({ days: queryInt(1, 92).optional(), deptId: queryId.optional() })
type AddressQuery = z.output<typeof AddressQuery>

const DEFAULT_DAYS = 30
const spans = [7, 30, 92]
/** The period ends now, so the figures are refetched from time to time. */
const REFETCH_MS = 300_000

const startOf = (days: number): Date =>
  fromWallClock(
    toWallClock(serverNow())
      .subtract(days - 1, 'day')
      .startOf('day'),
  )

const perThousand = (n: number, of: number): string => (of > 0 ? ((n / of) * 1000).toFixed(2) : '–')

const Finding = ({ figures }: { figures: Govern }) => {
  const { t } = useTranslation()
  const change = figures.total - figures.totalBefore
  if (change === 0) return <p className="govern-finding">{t('govern.same')}</p>
  return (
    <p className="govern-finding">{change > 0 ? t('govern.more', { n: change }) : t('govern.fewer', { n: -change })}</p>
  )
}

/** `to`: the list of the counted alarms. */
const Figures = ({ figures, to }: { figures: Govern; to: string | undefined }) => {
  const { t } = useTranslation()
  const { falseAlarms, hops, total } = figures
  const limit = ({ n, p90 }: HopStat, none: string) => ({
    value: n === 0 || p90 === null ? null : Math.round(p90),
    more: n === 0 ? none : t('govern.ofAlarms', { n }),
  })
  return (
    <div className="home-figures">
      <StatFigure name={t('govern.total')} value={total} to={to} />
      <StatFigure
        name={t('govern.falseRate')}
        value={falseAlarms.n}
        to={to && `${to}&falseAlarm=true`}
        more={
          <>
            {t('govern.falseMore', { n: perThousand(falseAlarms.n, falseAlarms.deviceDays) })}
            <br />
            {t('govern.perPupil', { n: perThousand(falseAlarms.n, falseAlarms.pupils) })}
          </>
        }
      />
      <StatFigure name={`${t('govern.claimedP90')} (s)`} {...limit(hops.claimed, t('govern.hopsNone'))} to={to} />
      <StatFigure name={`${t('govern.onSiteP90')} (s)`} {...limit(hops.onSite, t('govern.onSiteNone'))} to={to} />
    </div>
  )
}

type ChartsProps = { figures: Govern; from: Date; deptId: number | undefined; onWiden: (() => void) | undefined }

const Charts = ({ figures, from, deptId, onWiden }: ChartsProps) => {
  const { t } = useTranslation()
  const list = usePathOf()('warn/record/index')
  const records = list && recordsLink(list, { from, deptId })
  if (figures.total === 0 && figures.totalBefore === 0)
    return (
      <Empty description={t('govern.empty')}>
        {onWiden && (
          <Button type="primary" onClick={onWiden}>
            {t('govern.widen')}
          </Button>
        )}
      </Empty>
    )
  return (
    <>
      <Finding figures={figures} />
      <Figures figures={figures} to={records} />
      <div className="govern-grid">
        <ByDayChart figures={figures} to={records} />
        <ByClassChart figures={figures} to={records} />
        <HopsChart figures={figures} to={records} />
        <CausesChart figures={figures} to={records && `${records}&falseAlarm=true`} />
        <HoursChart figures={figures} to={records} />
        <PlaceMap figures={figures} from={from} />
        <SchoolTable figures={figures} from={from} />
        <LeagueTable figures={figures} from={from} />
      </div>
    </>
  )
}

/** The figures of a period for managers: alarms, response, false alarms, times and schools. */
export const GovernPage = () => {
  const { t } = useTranslation()
  const [address, setAddress] = useUrlQuery(AddressQuery)
  const { days = DEFAULT_DAYS, deptId } = address
  const from = useMemo(() => startOf(days), [days])
  const query: GovernQuery = { from, ...(deptId !== undefined && { deptId }) }
  const figures = useQuery({
    ...inlineQuery(governs.get, { query }),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })
  const change = (part: AddressQuery) => setAddress({ ...address, ...part })
  return (
    <Flex vertical gap="middle">
      <Flex gap="middle" wrap align="center" className="govern-bar">
        <Segmented
          aria-label={t('govern.period')}
          options={spans.map((n) => ({ value: n, label: t('govern.days', { n }) }))}
          value={days}
          onChange={(value) => change({ days: value })}
        />
        <DeptSelect
          allowClear
          aria-label={t('govern.dept')}
          placeholder={t('govern.whole')}
          style={{ width: 260 }}
          {...(deptId !== undefined && { value: deptId })}
          onChange={(value?: number) => change({ deptId: value })}
        />
      </Flex>
      <QueryResult query={figures}>
        {(data) => (
          <Charts
            figures={data}
            from={from}
            deptId={deptId}
            onWiden={days < 92 ? () => change({ days: 92 }) : undefined}
          />
        )}
      </QueryResult>
      <StationTable query={query} refetchMs={REFETCH_MS} />
      <WorkFigures query={query} from={from} refetchMs={REFETCH_MS} />
    </Flex>
  )
}
