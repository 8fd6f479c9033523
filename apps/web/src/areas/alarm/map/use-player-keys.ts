import { useEffect, useEffectEvent } from 'react'

export type PlayerAction =
  | { kind: 'toggle' }
  | { kind: 'step'; by: number }
  | { kind: 'end'; isStart: boolean }
  | { kind: 'speed'; by: number }

const actions: Readonly<Record<string, PlayerAction>> = {
  ' ': { kind: 'toggle' },
  ArrowLeft: { kind: 'step', by: -1 },
  ArrowRight: { kind: 'step', by: 1 },
  Home: { kind: 'end', isStart: true },
  End: { kind: 'end', isStart: false },
  '+': { kind: 'speed', by: 1 },
  '=': { kind: 'speed', by: 1 },
  '-': { kind: 'speed', by: -1 },
}

/** Where a key has a meaning of its own: the map pans, a choice changes, a button is pressed. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="dialog"], .map-view'
const PRESSED_BY_SPACE = 'button, a, summary, [role="tab"]'

const findPlayerAction = (event: KeyboardEvent): PlayerAction | undefined => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  const element = target instanceof Element ? target : undefined
  if (element?.closest(OWN_KEYS) || (key === ' ' && element?.closest(PRESSED_BY_SPACE))) return undefined
  return Object.hasOwn(actions, key) ? actions[key] : undefined
}

/** Space plays and pauses, arrows step, Home and End jump, plus and minus change the speed. */
export const usePlayerKeys = (isOn: boolean, perform: (action: PlayerAction) => void): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = findPlayerAction(event)
    if (!action) return
    event.preventDefault()
    perform(action)
  })
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}
