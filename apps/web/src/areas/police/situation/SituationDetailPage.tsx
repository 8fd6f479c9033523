import type { SituationDetail } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import { PrinterOutlined, EnvironmentOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Card } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { SituationClock, SituationFacts, SituationTags, SituationTimeline } from './SituationPanel.tsx'
import { SituationPrint } from './SituationPrint.tsx'
import { useVerbs } from './use-verbs.tsx'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

const before = <div style={{ minHeight: 400 }} />
/** Loaded when it is opened, since reading the tracks of people is recorded. */
const SituationMap = lazyComponent(async () => (await import('./SituationMap.tsx')).SituationMap, { before })

/** Where the units were during the incident, on demand. */
const SituationTracks = ({ situation }: { situation: SituationDetail }) => {
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

const Detail = ({ situation }: { situation: SituationDetail }) => {
  const { t } = useTranslation()
  const { buttons, dialog } = useVerbs(situation)
  const mayExport = useHasPermission('police:situation:export')
  const mayTrack = useHasPermission('warn:record:track')
  const [isPrinting, setPrinting] = useState(false)
  return (
    <WorkflowPage
      title={situation.no}
      tags={<SituationTags situation={situation} />}
      clock={<SituationClock situation={situation} />}
      subtitle={[situation.schoolName, situation.place].filter(Boolean).join(' · ')}
      actions={
        <Flex gap="small" wrap>
          <VerbButtons verbs={buttons} />
          <Button icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
            {t('police.print')}
          </Button>
          {mayExport && (
            <Button onClick={() => void download(situations.cap, { query: { id: situation.id } }).catch(showError)}>
              {t('police.cap')}
            </Button>
          )}
        </Flex>
      }
      timeline={<SituationTimeline situation={situation} />}
    >
      <SituationFacts situation={situation} />
      {mayTrack && situation.units.length > 0 && <SituationTracks situation={situation} />}
      {dialog}
      {isPrinting && <SituationPrint situation={situation} onDone={() => setPrinting(false)} />}
    </WorkflowPage>
  )
}

/** One incident with its units, facts and timeline. */
export const SituationDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(situations.get, { query: { id: Number(id) } }))
  const no = query.data?.no
  usePageTitle(no ? { name: no, nameEn: no } : undefined)
  return <QueryResult query={query}>{(situation) => <Detail situation={situation} />}</QueryResult>
}
