import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { fromWallClock, toWallClock } from '#ui/dates/wall-clock.ts'
import { percent } from '../situation/percent.ts'

/** How well the limits of today's incidents were kept. */
export const DeskFigures = () => {
  const { t } = useTranslation()
  const from = fromWallClock(toWallClock(new Date(useServerTime())).startOf('day'))
  const { data } = useQuery(queryFor(situations.times, { query: { from } }))
  if (!data) return null
  const { sign, feedback, arriveMet, arriveLate } = data
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
  // Nothing was received or reached yet: three dashes say nothing.
  if (sum(sign) + sum(feedback) + arriveMet + arriveLate === 0) return null
  return (
    <Typography.Text className="dispatch-figures">
      {t('police.today', {
        sign: percent(sign[0] ?? 0, sum(sign)),
        arrive: percent(arriveMet, arriveMet + arriveLate),
        feedback: percent(feedback[0] ?? 0, sum(feedback)),
      })}
    </Typography.Text>
  )
}
