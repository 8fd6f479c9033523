import type { HomeAlarms } from '@tocsin/contract/insight/home'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { StatFigure } from './StatFigure.tsx'
import { Panel } from './Panel.tsx'

const levels = [1, 2, 3, 4]
const RECORDS = 'warn/record/index'

const Oldest = ({ oldest }: { oldest: NonNullable<HomeAlarms['oldest']> }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const records = usePathOf()(RECORDS)
  const { id, code, level, schoolName, placePath, receivedAt } = oldest
  const content = (
    <>
      <EnumTag kind="level" value={level} />
      <b>{enumLabel('alarmCode', code, lang)}</b>
      <span>{[schoolName, placePath ?? t('home.noPlace')].filter(Boolean).join(' · ')}</span>
      <RelativeTime at={receivedAt} />
    </>
  )
  return (
    <div className="home-oldest">
      <span className="home-name">{t('home.oldest')}</span>
      {records ? <Link to={`${records}?record=${id}`}>{content}</Link> : <span>{content}</span>}
    </div>
  )
}

/** Open alarms by level with the one that waits longest, and what came in today. */
export const AlarmCards = ({ alarms }: { alarms: HomeAlarms }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const pathOf = usePathOf()
  const records = pathOf(RECORDS)
  const desk = pathOf('warn/desk/index') ?? records
  const { today, exercises } = alarms
  const since = records && `${records}?mode=LIVE&from=${today.since.getTime()}`
  const at = (level: number) => alarms.levels.find((one) => one.level === level) ?? { open: 0, unclaimed: 0 }
  return (
    <>
      <Panel
        title={t('home.open')}
        extra={exercises > 0 && <span className="home-more">{t('home.exercises', { n: exercises })}</span>}
        wide
      >
        <div className="home-figures">
          {levels.map((level) => {
            const { open, unclaimed } = at(level)
            return (
              <StatFigure
                key={level}
                name={enumLabel('level', level, lang)}
                value={open}
                to={desk}
                tone={unclaimed > 0 ? 'alert' : 'warn'}
                more={unclaimed > 0 && t('home.due', { n: unclaimed })}
              />
            )
          })}
        </div>
        {alarms.oldest ? (
          <Oldest oldest={alarms.oldest} />
        ) : (
          <div className="home-oldest home-name">{t('home.noneWaiting')}</div>
        )}
      </Panel>
      <Panel title={t('home.today')}>
        <div className="home-figures">
          <StatFigure name={t('home.raised')} value={today.raised} to={since} />
          <StatFigure name={t('home.ended')} value={today.ended} to={since && `${since}&state=RESOLVED,CLOSED`} />
          {/* No filter of the list finds these alone. */}
          <StatFigure name={t('home.false')} value={today.false} />
        </div>
      </Panel>
    </>
  )
}
