import { floorPlans, type FloorPlanRow, type FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { Button, Flex, InputNumber, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'
import { PlanDrawing } from '#ui/plan/PlanDrawing.tsx'

type Corner = readonly [x: number, y: number]

/** Pixels between two points that lie from 0 to 1. */
const pixelsBetween = ([a, b]: readonly Corner[], { width, height }: FloorPlanRow): number =>
  a && b ? Math.hypot((a[0] - b[0]) * width, (a[1] - b[1]) * height) : 0

type Props = { plan: FloorPlanRow; view: FloorView; onClose: () => void }

/** Two points whose distance is known give the scale; the angle gives north. */
const Editor = ({ plan, view, onClose }: Props) => {
  const { t } = useTranslation()
  const [corners, setCorners] = useState<readonly Corner[]>([])
  const [metres, setMetres] = useState<number | null>(null)
  const [north, setNorth] = useState<number | null>(plan.north)
  const { mutate, isPending } = useApiMutation(floorPlans.update, {
    done: () => {
      notify.success(t('list.saved'))
      onClose()
    },
  })
  const pixels = pixelsBetween(corners, plan)
  const isMeasured = pixels > 0 && metres !== null && metres > 0
  const save = () => {
    const { id, version } = plan
    mutate({ body: { id, version, north, ...(isMeasured && { metresPerPixel: metres / pixels }) } })
  }
  const [first, second] = corners.map(([x, y]) => [x * plan.width, y * plan.height] as const)
  return (
    <Flex vertical gap="small" role="group" aria-label={t('plan.scale')}>
      <Typography.Text type="secondary">{t('plan.scaleHelp')}</Typography.Text>
      <div className="plan-frame">
        <PlanDrawing
          view={{ ...view, plan: { ...plan, north } }}
          label={t('plan.scale')}
          onPoint={(at) => setCorners(corners.length === 1 ? [...corners, at] : [at])}
        >
          {first && second && <path className="plan-ruler" d={`M${first.join(' ')}L${second.join(' ')}`} />}
          {[first, second].map((at) => at && <circle key={at.join()} cx={at[0]} cy={at[1]} r={plan.width / 140} />)}
        </PlanDrawing>
      </div>
      <Flex gap="small" wrap align="center">
        <InputNumber
          min={0.1}
          max={1000}
          value={metres}
          onChange={setMetres}
          prefix={t('plan.distance')}
          suffix="m"
          disabled={pixels === 0}
          aria-label={t('plan.distance')}
        />
        <InputNumber
          min={0}
          max={359}
          precision={0}
          value={north}
          onChange={setNorth}
          prefix={t('plan.north')}
          suffix="°"
          aria-label={t('plan.north')}
        />
        <Button type="primary" loading={isPending} onClick={save}>
          {t('list.save')}
        </Button>
        <Button onClick={onClose}>{t('list.cancel')}</Button>
      </Flex>
    </Flex>
  )
}

/** Scale and north of an edition, opened on demand. */
export const PlanScale = ({ plan, view }: Omit<Props, 'onClose'>) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Editor plan={plan} view={view} onClose={() => setOpen(false)} />
  return (
    <Flex>
      <Button onClick={() => setOpen(true)}>{t('plan.scale')}</Button>
    </Flex>
  )
}
