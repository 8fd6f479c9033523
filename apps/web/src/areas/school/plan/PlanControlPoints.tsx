import {
  type ControlPoint,
  floorPlans,
  type FloorPlanRow,
  type FloorView,
} from '@tocsin/contract/school/plan/floor-plan'
import { isTriangle, measurePlan } from '@tocsin/contract/school/plan/plan-position'
import { Alert, Button, Flex, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'
import { PlanDrawing } from '#ui/plan/PlanDrawing.tsx'
import { SchoolPositionMap } from '../place/PositionPicker.tsx'

const numbers = [0, 1, 2] as const
type Props = { plan: FloorPlanRow; view: FloorView; onClose: () => void }
type Draft = Partial<ControlPoint>

const isWhole = (point: Draft): point is ControlPoint => point.x !== undefined && point.lng !== undefined

const Mark = ({
  point: { x, y },
  index,
  width,
  height,
}: {
  point: Draft
  index: number
  width: number
  height: number
}) => {
  if (x === undefined || y === undefined) return null
  return (
    <g className="plan-control">
      <circle cx={x * width} cy={y * height} r={width / 110} />
      <text x={x * width} y={y * height - width / 60} fontSize={width / 45}>
        {index + 1}
      </text>
    </g>
  )
}

/** The same point on the plan and on the map, three times. */
const Editor = ({ plan, view, onClose }: Props) => {
  const { t } = useTranslation()
  const [points, setPoints] = useState<readonly Draft[]>(plan.controlPoints ?? [{}, {}, {}])
  const [chosen, setChosen] = useState<(typeof numbers)[number]>(0)
  const { mutate, isPending } = useApiMutation(floorPlans.update, {
    done: () => {
      notify.success(t('list.saved'))
      onClose()
    },
  })
  const change = (part: Draft) =>
    setPoints(points.map((point, index) => (index === chosen ? { ...point, ...part } : point)))
  const { id, version, width, height } = plan
  const whole = points.filter(isWhole)
  const isLine = whole.length === 3 && !isTriangle(whole)
  const save = (controlPoints: ControlPoint[] | null) => {
    const measured = controlPoints ? measurePlan(controlPoints, plan) : undefined
    mutate({ body: { id, version, controlPoints, ...measured } })
  }
  const { lng, lat } = points[chosen] ?? {}
  return (
    <Flex vertical gap="small" role="group" aria-label={t('plan.control')}>
      <Typography.Text type="secondary">{t('plan.controlHelp')}</Typography.Text>
      <Segmented
        value={chosen}
        onChange={setChosen}
        aria-label={t('plan.control')}
        style={{ alignSelf: 'flex-start' }}
        options={numbers.map((value) => ({
          value,
          label: `${isWhole(points[value] ?? {}) ? '✓ ' : ''}${t('plan.controlPoint', { n: value + 1 })}`,
        }))}
      />
      <div className="plan-frame">
        <PlanDrawing view={{ ...view, plan }} label={t('plan.control')} onPoint={([x, y]) => change({ x, y })}>
          {points.map((point, index) => (
            <Mark key={`${index}`} {...{ point, index, width, height }} />
          ))}
        </PlanDrawing>
      </div>
      <SchoolPositionMap
        key={chosen}
        schoolId={plan.schoolId}
        label={t('plan.controlPoint', { n: chosen + 1 })}
        at={lng === undefined || lat === undefined ? undefined : { lng, lat }}
        onMove={change}
      />
      {isLine && <Alert type="warning" showIcon title={t('plan.controlLine')} />}
      <Flex gap="small" wrap>
        <Button type="primary" disabled={whole.length < 3 || isLine} loading={isPending} onClick={() => save(whole)}>
          {t('list.save')}
        </Button>
        {plan.controlPoints && <Button onClick={() => save(null)}>{t('plan.clear')}</Button>}
        <Button onClick={onClose}>{t('list.cancel')}</Button>
      </Flex>
    </Flex>
  )
}

/** Three points that lay a plan on the map, opened on demand: the pins of the published edition get their position from them. */
export const PlanControlPoints = ({ plan, view }: Omit<Props, 'onClose'>) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Editor plan={plan} view={view} onClose={() => setOpen(false)} />
  return (
    <Flex>
      <Button onClick={() => setOpen(true)}>{t('plan.control')}</Button>
    </Flex>
  )
}
