import type { SituationDetail } from '@tocsin/contract/police/situation'
import { EnvironmentOutlined } from '@ant-design/icons'
import { Button, Card } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

const before = <div style={{ minHeight: 400 }} />
/** Loaded when it is opened, since reading the tracks of people is recorded. */
const SituationMap = lazyComponent(async () => (await import('./SituationMap.tsx')).SituationMap, { before })

/** Where the units were during the incident, on demand. */
export const SituationTracks = ({ situation }: { situation: SituationDetail }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card size="small" title={t('track.ofIncident')} style={{ marginTop: 16 }}>
      {isOpen ? (
        <SituationMap situation={situation} />
      ) : (
        <Button icon={<EnvironmentOutlined />} onClick={() => setOpen(true)}>
          {t('track.openMap')}
        </Button>
      )}
    </Card>
  )
}
