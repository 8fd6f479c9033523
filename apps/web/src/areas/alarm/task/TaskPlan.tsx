import type { Task } from '@tocsin/contract/alarm/assignment'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { formatPlace } from '../desk/format-place.ts'

const PlacePlan = lazyComponent(async () => (await import('#ui/plan/PlacePlan.tsx')).PlacePlan)
const PLAN_HEIGHT = 220
const BOX_HEIGHT = 340

/** Always of the same height, with or without a plan: the steps below must not move under a finger. */
export const TaskPlan = ({ task, placeId }: { task: Task; placeId: number }) => (
  <div className="task-plan" style={{ height: BOX_HEIGHT }}>
    <PlacePlan placeId={placeId} path={formatPlace(task)} height={PLAN_HEIGHT} />
  </div>
)
