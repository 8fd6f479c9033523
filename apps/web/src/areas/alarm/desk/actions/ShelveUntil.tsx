import { SHELVE_MAX_SEC } from '@tocsin/contract/alarm/state-machine'
import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#ui/time.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'

const MAX_MINUTES = SHELVE_MAX_SEC / 60
const minutes = [15, 30, 60, 120, 240, MAX_MINUTES]

/** Durations, each with its end time; the value is that time by the server's clock. */
export const ShelveUntil = ({ value, onChange }: { value?: Date; onChange?: (until: Date) => void }) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const [chosen, setChosen] = useState<number>()
  const choose = (n: number) => {
    setChosen(n)
    onChange?.(new Date(now + n * 60_000))
  }
  const text = (n: number) => (n < 60 ? t('desk.minutes', { n }) : t('desk.hours', { n: n / 60 }))
  return (
    <>
      <Radio.Group
        className="desk-until"
        optionType="button"
        value={chosen}
        options={minutes.map((n) => ({ value: n, label: text(n) }))}
        onChange={({ target }) => choose(Number(target.value))}
      />
      {value && <div className="desk-hint">{t('desk.shelvedUntil', { time: formatTime(value) })}</div>}
    </>
  )
}
