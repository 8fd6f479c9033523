import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { EnvironmentOutlined } from '@ant-design/icons'
import { Button, Flex, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { formatPlace } from '../desk/format-place.ts'

const Reserved = () => <div style={{ minHeight: 400 }} />
const before = <Reserved />
/** Loaded after the text, into reserved space. */
const PlacePlan = lazyComponent(async () => (await import('#ui/plan/PlacePlan.tsx')).PlacePlan, { before })
const RecordMap = lazyComponent(async () => (await import('./RecordMap.tsx')).RecordMap, { before })

const PLAN_HEIGHT = 320

/** Where the alarm is: the floor plan, and the map on demand; the text around it waits for neither. */
export const PlaceViews = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  const mayPlan = useHasPermission('school:place:query')
  const [view, setView] = useState<'plan' | 'map'>('plan')
  const { placeId } = record
  const hasPlan = mayPlan && placeId !== null
  if (!hasPlan && view === 'plan')
    return (
      <Button icon={<EnvironmentOutlined />} onClick={() => setView('map')}>
        {t('track.openMap')}
      </Button>
    )
  return (
    <Flex vertical gap="small">
      {hasPlan && (
        <Segmented
          style={{ alignSelf: 'flex-start' }}
          value={view}
          onChange={setView}
          options={[
            { value: 'plan', label: t('track.plan') },
            { value: 'map', label: t('track.map') },
          ]}
        />
      )}
      {view === 'map' ? (
        <RecordMap key={record.id} record={record} />
      ) : (
        hasPlan && <PlacePlan key={placeId} placeId={placeId} path={formatPlace(record)} height={PLAN_HEIGHT} />
      )}
    </Flex>
  )
}
