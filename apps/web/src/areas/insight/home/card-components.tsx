import { Skeleton } from 'antd'
import { type ComponentType, useDeferredValue } from 'react'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { AlarmCard, TodayCard } from './AlarmCards.tsx'
import { DeviceCard } from './DeviceCard.tsx'
import type { CardId } from './home-cards.ts'
import { NoticeCard } from './cards/NoticeCard.tsx'
import { Panel } from './Panel.tsx'
import { VisitCard } from './cards/VisitCard.tsx'

const before = (
  <Panel>
    <Skeleton active paragraph={{ rows: 2 }} />
  </Panel>
)
const later = (load: () => Promise<ComponentType<object>>) => lazyComponent(load, { before })

// Last on the page, because the fewest users need it.
const DeferredVisitCard = () => useDeferredValue(true, false) && <VisitCard />

/** The first cards come with the page; the others are loaded when they are shown. */
export const cardComponents: Record<CardId, ComponentType> = {
  alarms: AlarmCard,
  today: TodayCard,
  devices: DeviceCard,
  notices: NoticeCard,
  visits: DeferredVisitCard,
  response: later(async () => (await import('./cards/ResponseCard.tsx')).ResponseCard),
  readiness: later(async () => (await import('./cards/ReadinessCard.tsx')).ReadinessCard),
  duty: later(async () => (await import('./cards/DutyCard.tsx')).DutyCard),
  silence: later(async () => (await import('./cards/SilenceCard.tsx')).SilenceCard),
  tasks: later(async () => (await import('./cards/TaskCard.tsx')).TaskCard),
  maintenance: later(async () => (await import('./cards/MaintenanceCard.tsx')).MaintenanceCard),
  orders: later(async () => (await import('./cards/OrderCard.tsx')).OrderCard),
  announcements: later(async () => (await import('./cards/AnnouncementCard.tsx')).AnnouncementCard),
  dispatch: later(async () => (await import('./work-cards/DispatchCard.tsx')).DispatchCard),
  units: later(async () => (await import('./work-cards/UnitCard.tsx')).UnitCard),
  gapCard: later(async () => (await import('./work-cards/GapCard.tsx')).GapCard),
  bullying: later(async () => (await import('./work-cards/BullyingCard.tsx')).BullyingCard),
  batteries: later(async () => (await import('./oversight-cards/BatteryCard.tsx')).BatteryCard),
  rollouts: later(async () => (await import('./oversight-cards/RolloutCard.tsx')).RolloutCard),
  falseRate: later(async () => (await import('./oversight-cards/FalseRateCard.tsx')).FalseRateCard),
  receipts: later(async () => (await import('./oversight-cards/ReceiptCard.tsx')).ReceiptCard),
  exports: later(async () => (await import('./oversight-cards/LogCards.tsx')).ExportCard),
  personalReads: later(async () => (await import('./oversight-cards/LogCards.tsx')).PersonalReadCard),
  seals: later(async () => (await import('./oversight-cards/SealCard.tsx')).SealCard),
  system: later(async () => (await import('./cards/SystemCard.tsx')).SystemCard),
}
