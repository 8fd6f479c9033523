import { situations } from '@tocsin/contract/police/situations'
import type { UnitChoice } from '@tocsin/contract/police/unit'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Flex, Typography } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor } from '#api/query.ts'
import { EnumTag } from '#ui/EnumTag.tsx'

export const useDistance = () => {
  const { t } = useTranslation()
  return ({ distanceM }: Pick<UnitChoice, 'distanceM'>): string => {
    if (distanceM === null) return ''
    const text =
      distanceM < 1000
        ? t('police.metres', { n: distanceM })
        : t('police.kilometres', { n: (distanceM / 1000).toFixed(1) })
    return `${t('police.straight')} ${text}`
  }
}

const isTextField = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('textarea, [contenteditable], input:not([type="checkbox"])') !== null

/** The keys 1 to 9 while the list is open. */
const useDigitKeys = (onDigit: (digit: number) => void): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing)
    if (!isPlain || !/^[1-9]$/.test(event.key) || isTextField(event)) return
    event.preventDefault()
    onDigit(Number(event.key))
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}

type Props = { situationId: number; value?: number[]; onChange?: (ids: number[]) => void }

/** Units that can be sent: free before busy, near before far; busy ones with their activity. */
export const UnitPicker = ({ situationId, value = [], onChange = () => {} }: Props) => {
  const { t } = useTranslation()
  const distance = useDistance()
  const { data = [], isFetching } = useQuery(queryFor(situations.units, { query: { id: situationId } }))
  const choices = data.filter(({ state }) => state !== 'OFF')
  const toggle = (id: number) => onChange(value.includes(id) ? value.filter((chosen) => chosen !== id) : [...value, id])
  useDigitKeys((digit) => {
    const unit = choices[digit - 1]
    if (unit && unit.situationId !== situationId) toggle(unit.id)
  })
  if (choices.length === 0 && !isFetching)
    return (
      <Typography.Text type="secondary">
        {t('police.noFree')}{' '}
        <Link to="/police/unit" style={{ textDecoration: 'underline' }}>
          {t('police.toUnits')}
        </Link>
      </Typography.Text>
    )
  return (
    <Flex vertical gap={4}>
      {choices.map((unit, index) => (
        <Checkbox
          key={unit.id}
          checked={value.includes(unit.id)}
          disabled={unit.situationId === situationId}
          onChange={() => toggle(unit.id)}
        >
          <Flex gap="small" align="center" wrap>
            {index < 9 && <Typography.Text keyboard>{index + 1}</Typography.Text>}
            <strong>{unit.name}</strong>
            <EnumTag kind="unitState" value={unit.state} />
            <Typography.Text type="secondary">
              {[unit.situationNo, unit.neighbour && unit.stationName, distance(unit)].filter(Boolean).join(' · ')}
            </Typography.Text>
          </Flex>
        </Checkbox>
      ))}
    </Flex>
  )
}
