import { type ResponseHop, responseLimitSec } from '@tocsin/contract/insight/home'
import { LOW_READINESS } from '@tocsin/contract/insight/readiness'
import type { WallBoard } from '@tocsin/contract/insight/wall'
import { useTranslation } from 'react-i18next'

const hops: readonly ResponseHop[] = ['displayed', 'claimed', 'onSite']
const LONG_SEC = 120
const TENTH_OF_MINUTE_SEC = 6

const useSeconds = () => {
  const { t } = useTranslation()
  return (seconds: number | null): string => {
    if (seconds === null) return '–'
    if (seconds < LONG_SEC) return t('home.seconds', { n: seconds })
    return t('home.minutes', { n: Math.round(seconds / TENTH_OF_MINUTE_SEC) / 10 })
  }
}

const Hidden = () => <p className="wall-hidden">{useTranslation().t('wall.hidden')}</p>

const Response = ({ response }: { response: NonNullable<WallBoard['response']> }) => {
  const { t } = useTranslation()
  const format = useSeconds()
  return (
    <dl>
      {hops.map((hop) => {
        const { p50, p90 } = response[hop]
        return (
          <div key={hop} data-late={p90 !== null && p90 > responseLimitSec[hop]}>
            <dt>{t(`govern.${hop}`)}</dt>
            <dd>{t('wall.hop', { p50: format(p50), p90: format(p90) })}</dd>
          </div>
        )
      })}
    </dl>
  )
}

const TREND_WIDTH = 100
const TREND_HEIGHT = 20
const FULL_SCORE = 100

/** The readiness of each day as a line over the whole scale. */
const Trend = ({ days }: { days: readonly number[] }) => {
  const { t } = useTranslation()
  const step = TREND_WIDTH / Math.max(1, days.length - 1)
  const corners = days.map((score, at) => `${at * step},${TREND_HEIGHT * (1 - score / FULL_SCORE)}`)
  const [from, to] = [days.at(0) ?? 0, days.at(-1) ?? 0]
  return (
    <svg
      className="wall-trend"
      viewBox={`0 -1 ${TREND_WIDTH} ${TREND_HEIGHT + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('wall.trend', { n: days.length, from, to })}
    >
      <polyline points={corners.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Response of today, readiness with its worst schools, and people on duty in numbers. */
export const WallFigures = ({ board: { response, readiness, duty } }: { board: WallBoard }) => {
  const { t } = useTranslation()
  return (
    <footer className="wall-figures">
      <section>
        <h2>{t('wall.response')}</h2>
        {response ? <Response response={response} /> : <Hidden />}
      </section>
      <section className="wall-readiness">
        <h2>{t('wall.readiness')}</h2>
        {readiness ? (
          <>
            <b className="wall-figure">{readiness.score ?? '–'}</b>
            <dl>
              {readiness.worst.map(({ id, name, score }) => (
                <div key={id} data-late={score < LOW_READINESS}>
                  <dt>{name}</dt>
                  <dd>{score}</dd>
                </div>
              ))}
            </dl>
            {readiness.days.length > 1 && <Trend days={readiness.days} />}
          </>
        ) : (
          <Hidden />
        )}
      </section>
      <section>
        <h2>{t('wall.duty')}</h2>
        {duty ? (
          <>
            <b className="wall-figure">{t('wall.dutyText', { on: duty.onDuty + duty.late, planned: duty.planned })}</b>
            <p>{t('wall.dutyGaps', { late: duty.late, absent: duty.absent })}</p>
          </>
        ) : (
          <Hidden />
        )}
      </section>
    </footer>
  )
}
