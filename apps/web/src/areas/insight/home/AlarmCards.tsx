import type { HomeAlarms, HomeWaiting } from '@tocsin/contract/insight/home'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { StatFigure } from './StatFigure.tsx'
import { claimVerb } from './parts/claim-verb.ts'
import { QueryPanel } from './QueryPanel.tsx'
import { homeQuery } from './dashboard-queries.ts'

/** Events refetch the figures at once; this interval limits the delay when an event is lost. */
const SAFETY_MS = 30_000

const levels = [1, 2, 3, 4]
const RECORDS = 'warn/record/index'
const DESK = 'warn/desk/index'

export const useHome = () => useQuery({ ...homeQuery, refetchInterval: SAFETY_MS })

const WaitingRow = ({ alarm }: { alarm: HomeWaiting }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const pathOf = usePathOf()
  const mayClaim = useHasPermission('warn:record:claim')
  const { id, code, level, state, schoolName, placePath, receivedAt } = alarm
  const verb = claimVerb(state)
  const { mutateAsync, isPending } = useApiMutation(verb === 'take' ? warnRecords.take : warnRecords.claim)
  const [records, desk] = [pathOf(RECORDS), pathOf(DESK)]
  const content = (
    <>
      <EnumTag kind="level" value={level} />
      <b>{enumLabel('alarmCode', code, lang)}</b>
      <span>{[schoolName, placePath ?? t('home.noPlace')].filter(Boolean).join(' · ')}</span>
      <RelativeTime at={receivedAt} />
    </>
  )
  const claim = async () => {
    await mutateAsync({ body: { id } })
    // The row may be gone by now: a claimed alarm waits no longer.
    if (desk) await navigate(`${desk}?id=${id}`)
  }
  return (
    <li>
      {records ? <Link to={`${records}?record=${id}`}>{content}</Link> : <span>{content}</span>}
      {mayClaim && verb && (
        <Button size="small" loading={isPending} onClick={() => void claim().catch(() => undefined)}>
          {enumLabel('verb', verb, lang)}
        </Button>
      )}
    </li>
  )
}

const OpenAlarms = ({ alarms: { levels: counted, waiting } }: { alarms: HomeAlarms }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const records = usePathOf()(RECORDS)
  const at = (level: number) => counted.find((item) => item.level === level) ?? { open: 0, unclaimed: 0 }
  return (
    <>
      <div className="home-figures">
        {levels.map((level) => {
          const { open, unclaimed } = at(level)
          return (
            <StatFigure
              key={level}
              name={enumLabel('level', level, lang)}
              value={open}
              to={records && `${records}?mode=LIVE&level=${level}&open=true`}
              tone={unclaimed > 0 ? 'alert' : 'warn'}
              more={unclaimed > 0 && t('home.due', { n: unclaimed })}
            />
          )
        })}
      </div>
      {waiting.length > 0 ? (
        <div className="home-oldest">
          <span className="home-name">{t('home.oldest')}</span>
          <ul>
            {waiting.map((alarm) => (
              <WaitingRow key={alarm.id} alarm={alarm} />
            ))}
          </ul>
        </div>
      ) : (
        <div className="home-oldest home-name">{t('home.noneWaiting')}</div>
      )}
    </>
  )
}

/** Open alarms by level with those that wait longest. */
export const AlarmCard = () => {
  const { t } = useTranslation()
  const query = useHome()
  const exercises = query.data?.alarms?.exercises ?? 0
  return (
    <QueryPanel
      title={t('home.alarms')}
      extra={exercises > 0 && <span className="home-more">{t('home.exercises', { n: exercises })}</span>}
      wide
      query={query}
    >
      {({ alarms }) => alarms && <OpenAlarms alarms={alarms} />}
    </QueryPanel>
  )
}

/** What came in today. */
export const TodayCard = () => {
  const { t } = useTranslation()
  const records = usePathOf()(RECORDS)
  return (
    <QueryPanel title={t('home.today')} query={useHome()}>
      {({ alarms }) => {
        if (!alarms) return null
        const { since, raised, ended, false: mistaken } = alarms.today
        const to = records && `${records}?mode=LIVE&continued=false&from=${since.getTime()}`
        return (
          <div className="home-figures">
            <StatFigure name={t('home.raised')} value={raised} to={to} />
            <StatFigure name={t('home.ended')} value={ended} to={to && `${to}&state=RESOLVED,CLOSED`} />
            <StatFigure
              name={t('home.false')}
              value={mistaken}
              to={to && `${to}&state=RESOLVED,CLOSED&falseAlarm=true`}
            />
          </div>
        )
      }}
    </QueryPanel>
  )
}
