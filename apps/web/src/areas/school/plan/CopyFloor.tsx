import { floorPlans, type FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, queryFor } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { copyFloor, type FloorChoice } from './copy-floor.ts'
import { countDrawn, type Drawn } from './plan-draft.ts'

type CopyFloorProps = {
  view: FloorView
  /** All floors of the school, this one included. */
  floors: readonly FloorChoice[]
  mayPin: boolean
  onCopy: (drawn: Drawn) => void
}

/** Draws the outlines and pins of another floor here; they are saved like everything that is drawn. */
export const CopyFloor = ({ view, floors, mayPin, onCopy }: CopyFloorProps) => {
  const { t } = useTranslation()
  const [isLoading, setLoading] = useState(false)
  const others = floors.filter(({ id }) => id !== view.floorId)
  const to = floors.find(({ id }) => id === view.floorId)?.floorNo ?? null

  const copy = async ({ id, label, floorNo }: FloorChoice) => {
    const query = queryFor(floorPlans.view, { query: { placeId: id } })
    const source = await client.fetchQuery({ ...query, staleTime: 0 })
    if (!source) return
    const { drawn: all, missing } = copyFloor({ source, target: view, from: floorNo, to })
    const drawn = mayPin ? all : { ...all, pins: {} }
    if (countDrawn(drawn) === 0) {
      notify.error(t('plan.copyNothing', { floor: label }))
      return
    }
    const text = [
      t('plan.copyEffect', { rooms: Object.keys(drawn.outlines).length, devices: Object.keys(drawn.pins).length }),
      ...(missing.length > 0 ? [t('plan.copyMissing', { names: missing.join('、') })] : []),
      t('plan.copyUnsaved'),
    ].join('\n')
    if (await confirm({ title: t('plan.copyAsk', { floor: label }), text })) onCopy(drawn)
  }
  const choose = (id: number) => {
    const floor = others.find((other) => other.id === id)
    if (!floor) return
    setLoading(true)
    copy(floor)
      .catch(() => notify.error(t('plan.copyFailed')))
      .finally(() => setLoading(false))
  }
  if (others.length === 0) return null
  return (
    <Select<number>
      value={null as never}
      loading={isLoading}
      disabled={isLoading}
      aria-label={t('plan.copy')}
      placeholder={t('plan.copy')}
      style={{ minWidth: 180 }}
      options={others.map(({ id, label }) => ({ value: id, label }))}
      onChange={choose}
    />
  )
}
