import { Button, Flex } from 'antd'
import { type KeyboardEvent, useRef, useState, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cardComponents } from './card-components.tsx'
import { type CardId, hideCard, placeCard, type Arrangement, arrangeCards, formatArrangement } from './home-cards.ts'
import { useSession } from '#api/session.ts'
import { setPreferences, usePreferences } from '#shell/theme/preferences.ts'

/** The user's cards of Home, and how to store another arrangement, the same on every computer. */
const useArrangement = () => {
  const stored = usePreferences(({ homeCards }) => homeCards)
  const roles = useSession((session) => session.roles)
  const permissions = useSession((session) => session.permissions)
  const arrangement = useMemo(
    () => arrangeCards(stored, { roles, can: (wanted) => [wanted].flat().some((item) => permissions.has(item)) }),
    [stored, roles, permissions],
  )
  const change = (next: Arrangement) => setPreferences({ homeCards: formatArrangement(next) })
  return { arrangement, change, reset: () => setPreferences({ homeCards: '' }) }
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
const WIDE: readonly CardId[] = ['alarms', 'visits']

const ArrangeBar = ({ id, onMove, onHide }: { id: CardId; onMove: (by: number) => void; onHide: () => void }) => {
  const { t } = useTranslation()
  const name = t(`home.${id}`)
  return (
    <Flex className="home-arrange" gap="small" align="center">
      <span className="home-handle">⠿ {name}</span>
      <Button size="small" aria-label={t('home.moveBack', { name })} onClick={() => onMove(-1)}>
        ←
      </Button>
      <Button size="small" aria-label={t('home.moveOn', { name })} onClick={() => onMove(1)}>
        →
      </Button>
      <Button size="small" aria-label={t('home.hide', { name })} onClick={onHide}>
        {t('home.hideShort')}
      </Button>
    </Flex>
  )
}

/** The user's cards; Alt with an arrow key moves the one with the focus. */
export const CardGrid = () => {
  const { t } = useTranslation()
  const { arrangement, change, reset } = useArrangement()
  const [arranging, setArranging] = useState(false)
  const [announced, setAnnounced] = useState('')
  const dragged = useRef<CardId>(undefined)
  const { shown, hidden } = arrangement
  const move = (id: CardId, by: number) => {
    const to = Math.max(0, Math.min(shown.length - 1, shown.indexOf(id) + by))
    change(placeCard(arrangement, id, to))
    setAnnounced(t('home.moved', { name: t(`home.${id}`), at: to + 1, n: shown.length }))
  }
  const onKey = (id: CardId) => (event: KeyboardEvent) => {
    const by = event.altKey ? STEPS[event.key] : undefined
    if (by === undefined) return
    // The browser goes back and forth in its history with these.
    event.preventDefault()
    move(id, by)
  }
  const drop = (target: CardId) => {
    if (dragged.current && dragged.current !== target)
      change(placeCard(arrangement, dragged.current, shown.indexOf(target)))
    dragged.current = undefined
  }
  return (
    <>
      <Flex className="home-tools" gap="small" align="center" wrap>
        <Button size="small" type="text" aria-pressed={arranging} onClick={() => setArranging(!arranging)}>
          {t(arranging ? 'home.arranged' : 'home.arrange')}
        </Button>
        {arranging && (
          <>
            <Button size="small" type="text" onClick={reset}>
              {t('home.byRole')}
            </Button>
            {hidden.map((id) => (
              <Button key={id} size="small" onClick={() => change(placeCard(arrangement, id, shown.length))}>
                ＋ {t(`home.${id}`)}
              </Button>
            ))}
          </>
        )}
      </Flex>
      <div className="home">
        {shown.map((id) => {
          const Card = cardComponents[id]
          return (
            <div
              key={id}
              className={WIDE.includes(id) ? 'home-card home-wide' : 'home-card'}
              role="group"
              aria-label={t(`home.${id}`)}
              tabIndex={arranging ? 0 : -1}
              draggable={arranging}
              onKeyDown={onKey(id)}
              onDragStart={() => {
                dragged.current = id
              }}
              onDragOver={(event) => arranging && event.preventDefault()}
              onDrop={() => drop(id)}
            >
              {arranging && (
                <ArrangeBar id={id} onMove={(by) => move(id, by)} onHide={() => change(hideCard(arrangement, id))} />
              )}
              <Card />
            </div>
          )
        })}
      </div>
      <div role="status" className="home-status">
        {announced}
      </div>
    </>
  )
}
