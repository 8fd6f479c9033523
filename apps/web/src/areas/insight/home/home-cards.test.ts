import { describe, expect, it } from 'vitest'
import { arrangeCards, cardIds, formatArrangement, hideCard, placeCard } from './home-cards.ts'

const everything = { can: () => true }

describe('arrangeCards', () => {
  it('shows the cards of the role first and those of everybody last', () => {
    const { shown, hidden } = arrangeCards('', { ...everything, roles: ['edu_bureau'] })
    expect(shown.slice(0, 3)).toEqual(['readiness', 'orders', 'duty'])
    expect(shown.slice(-2)).toEqual(['announcements', 'notices'])
    expect([...shown, ...hidden].toSorted()).toEqual(cardIds.toSorted())
  })

  it('has the cards of each role in the order of its work', () => {
    const first = (role: string, count: number) =>
      arrangeCards('', { ...everything, roles: [role] }).shown.slice(0, count)
    expect(first('station_desk', 4)).toEqual(['dispatch', 'units', 'response', 'orders'])
    expect(first('edu_bureau', 6)).toEqual(['readiness', 'orders', 'duty', 'falseRate', 'receipts', 'alarms'])
    expect(first('maintainer', 4)).toEqual(['maintenance', 'devices', 'batteries', 'rollouts'])
    expect(first('supervisor', 3)).toEqual(['orders', 'readiness', 'gapCard'])
    expect(first('auditor', 3)).toEqual(['exports', 'personalReads', 'seals'])
    expect(first('counsellor', 1)).toEqual(['bullying'])
  })

  it('leaves out cards without permission, shown or hidden', () => {
    const roles = ['school_admin']
    const stored = 'visits,duty,-system'
    const { shown, hidden } = arrangeCards(stored, { roles, can: (wanted) => wanted === 'security:shift:query' })
    expect(shown).toEqual(['duty', 'announcements', 'notices'])
    expect(hidden).toEqual([])
  })

  it('keeps what the user arranged and ignores names that exist no more', () => {
    const before = arrangeCards('', { ...everything, roles: ['shift_lead'] })
    const after = hideCard(placeCard(before, 'orders', 0), 'alarms')
    const again = arrangeCards(`${formatArrangement(after)},former`, { ...everything, roles: ['guard'] })
    expect(again).toEqual(after)
    expect(again.shown[0]).toBe('orders')
    expect(again.hidden).toContain('alarms')
  })

  it('keeps a card within the list when it is moved beyond an end', () => {
    const start = { shown: ['alarms', 'duty'], hidden: ['visits'] } as const
    expect(placeCard(start, 'alarms', 9).shown).toEqual(['duty', 'alarms'])
    expect(placeCard(start, 'duty', -4).shown).toEqual(['duty', 'alarms'])
    expect(placeCard(start, 'visits', 1)).toEqual({ shown: ['alarms', 'visits', 'duty'], hidden: [] })
  })
})
