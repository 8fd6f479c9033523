import { assignments } from '@tocsin/contract/alarm/assignment'
import { assignmentMachine } from '@tocsin/contract/alarm/assignment-machine'
import type { SituationDetail } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import type { AssignedUnit } from '@tocsin/contract/police/unit'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { makeStepKey } from '#api/wire/step-key.ts'
import { notify } from '#ui/notify.ts'
import { isKeyForDesk } from './desk-keys.ts'

const steps = { s: 'receive', g: 'depart', h: 'arrive' } as const
type UnitStep = (typeof steps)[keyof typeof steps]

const isStepKey = (key: string): key is keyof typeof steps => Object.hasOwn(steps, key)

const canStep = ({ state }: AssignedUnit, step: UnitStep): boolean =>
  assignmentMachine[step].from.some((from) => from === state)

/** The unit whose row has the focus, else the only one that can take the step. */
const chooseUnit = (units: readonly AssignedUnit[], step: UnitStep): AssignedUnit | undefined => {
  const row = document.activeElement?.closest<HTMLElement>('[data-unit]')
  if (row) return units.find(({ id }) => String(id) === row.dataset['unit'])
  return units.length === 1 ? units.find((unit) => canStep(unit, step)) : undefined
}

/** On a unit: `S` receives on its behalf, `G` departs, `H` is on scene. */
export const useUnitKeys = ({ units }: SituationDetail): void => {
  const { t } = useTranslation()
  const maySend = useHasPermission('police:situation:dispatch')
  const mayStep = useHasPermission('warn:task:update')
  const options = { also: [situations.page] }
  const calls = {
    receive: useApiMutation(assignments.receive, options),
    depart: useApiMutation(assignments.depart, options),
    arrive: useApiMutation(assignments.arrive, options),
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    if (!isKeyForDesk(event) || !isStepKey(key) || !mayStep) return
    const step = steps[key]
    const possible = units.filter((unit) => canStep(unit, step) && (maySend || unit.isOwn))
    if (possible.length === 0) return
    event.preventDefault()
    const unit = chooseUnit(possible, step)
    if (!unit) notify.warning(t('police.focusUnit'))
    else if (!calls[step].isPending) calls[step].mutate({ body: { id: unit.id, stepKey: makeStepKey() } })
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
