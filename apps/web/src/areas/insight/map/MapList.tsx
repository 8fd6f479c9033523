import { Button, Empty, Flex, Typography } from 'antd'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EnumTag } from '#ui/EnumTag.tsx'
import { distanceBetween, type MapItem } from './map-items.ts'

/** Rows that are drawn; the search narrows down the rest. */
const MAX_ROWS = 300

const findLinkText = ({ part, kind }: MapItem) => {
  if (part === 'RECORDS') return 'map.openRecord'
  if (kind === 'DEVICE') return 'map.openDevice'
  return kind === 'PLACE' ? 'map.openPlan' : 'map.openSchool'
}

type RowProps = { item: MapItem; isSelected: boolean; href: string | undefined; from: MapItem | undefined }

const Row = ({ item, isSelected, href, from }: RowProps) => {
  const { t } = useTranslation()
  const formatDistance = (metres: number): string =>
    metres < 1000 ? `${Math.round(metres)} ${t('map.metres')}` : `${(metres / 1000).toFixed(1)} ${t('map.kilometres')}`
  return (
    <>
      {item.mode && item.mode !== 'LIVE' && (
        <div className="map-band" data-mode={item.mode}>
          <b>{t(item.mode === 'TEST' ? 'desk.bandTest' : 'desk.bandDrill')}</b>
        </div>
      )}
      <Flex gap="small" align="center">
        {item.level !== undefined && item.mode === 'LIVE' && <EnumTag kind="level" value={String(item.level)} />}
        <Typography.Text strong ellipsis>
          {item.title}
        </Typography.Text>
      </Flex>
      <Typography.Text type="secondary" ellipsis>
        {item.point ? item.subtitle : `${item.subtitle} · ${t('map.noPosition')}`}
      </Typography.Text>
      {!isSelected && from?.point && item.point && (
        <Typography.Text type="secondary">
          {t('map.distance', { name: from.title, distance: formatDistance(distanceBetween(from.point, item.point)) })}
        </Typography.Text>
      )}
      {isSelected && href !== undefined && (
        <Link to={href} className="map-open">
          {t(findLinkText(item))}
        </Link>
      )}
    </>
  )
}

type MapListProps = {
  items: readonly MapItem[]
  selectedKey: string | undefined
  onSelect: (key: string) => void
  hrefOf: (item: MapItem) => string | undefined
  onReset: () => void
}

/** The same selection as the map, for those who use the keyboard or cannot use a map. */
export const MapList = ({ items, selectedKey, onSelect, hrefOf, onReset }: MapListProps) => {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const rows = items.slice(0, MAX_ROWS)
  const index = rows.findIndex(({ key }) => key === selectedKey)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selectedKey])

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.key === 'Enter') list.current?.querySelector<HTMLAnchorElement>('.map-open')?.click()
    if (step === undefined) return
    event.preventDefault()
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))]
    if (next) onSelect(next.key)
  }

  if (rows.length === 0)
    return (
      <Empty description={t('map.none')}>
        <Button onClick={onReset}>{t('map.reset')}</Button>
      </Empty>
    )
  return (
    <>
      <Typography.Text type="secondary">
        {items.length > MAX_ROWS
          ? t('map.countCut', { n: items.length, max: MAX_ROWS })
          : t('map.count', { n: items.length })}
      </Typography.Text>
      <ul
        ref={list}
        className="map-list"
        role="listbox"
        tabIndex={0}
        aria-label={t('map.list')}
        aria-activedescendant={selectedKey}
        onKeyDown={move}
      >
        {rows.map((item) => (
          <li
            key={item.key}
            id={item.key}
            role="option"
            aria-selected={item.key === selectedKey}
            data-due={item.mode === 'LIVE' && item.level !== undefined && item.level <= 2 && !item.isClaimed}
            onClick={() => onSelect(item.key)}
          >
            <Row item={item} isSelected={item.key === selectedKey} href={hrefOf(item)} from={rows[index]} />
          </li>
        ))}
      </ul>
    </>
  )
}
