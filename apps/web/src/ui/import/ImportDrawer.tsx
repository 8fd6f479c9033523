import { type JobView } from '@tocsin/contract/files/job'
import type { ImportEndpoints } from '@tocsin/contract/files/import'
import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Result, Skeleton, Steps } from 'antd'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ImportChoose } from './ImportChoose.tsx'
import type { ImportDefinition, ImportOptions } from './import-definition.ts'
import { ImportPreview } from './ImportPreview.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { type ImportPhase, useImport, useUnfinishedImport } from './use-import.ts'
import './import.css'

const steps: Record<ImportPhase, number> = { choose: 0, checking: 1, preview: 2, writing: 3, over: 4 }

const titles = { DONE: 'importing.done', CANCELLED: 'importing.cancelled', FAILED: 'importing.failed' } as const
const isOver = (state: string): state is keyof typeof titles => state in titles

type OutcomeProps = { job: JobView; definition: ImportDefinition; onAgain: () => void; onClose: () => void }

const Outcome = ({ job, definition, onAgain, onClose }: OutcomeProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { endpoints, useTexts } = definition
  const { createdHint } = useTexts()
  const { id, state, counts, error } = job
  const { created = 0, updated = 0, bad = 0 } = counts
  const title = isOver(state) ? t(titles[state]) : ''
  const status = state === 'DONE' ? 'success' : state === 'FAILED' ? 'error' : 'info'
  const fetch = (of: ImportEndpoints['result'] | ImportEndpoints['badRows']) => () =>
    void download(of, { query: { id, lang } }).catch(showError)
  return (
    <>
      <Result
        status={status}
        title={title}
        subTitle={
          error ? inlineErrorText(new ApiError(error), lang) : t('importing.outcome', { created, updated, bad })
        }
        extra={
          // antd leaves no space between two rows of buttons, which a phone has.
          <Flex wrap gap="small" justify="center">
            {created > 0 && (
              <Button type="primary" icon={<DownloadOutlined />} onClick={fetch(endpoints.result)}>
                {t('importing.result')}
              </Button>
            )}
            {bad > 0 && (
              <Button icon={<DownloadOutlined />} onClick={fetch(endpoints.badRows)}>
                {t('importing.badSheet')}
              </Button>
            )}
            <Button onClick={onAgain}>{t('importing.again')}</Button>
            <Button onClick={onClose}>{t('importing.close')}</Button>
          </Flex>
        }
      />
      {created > 0 && createdHint && <Alert type="warning" showIcon title={createdHint} />}
    </>
  )
}

type Props = { definition: ImportDefinition; options?: ImportOptions; onClose: () => void }

const ImportSteps = ({ unfinished, definition, options, onClose }: Props & { unfinished: number | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { job, error, phase, start, again, reread } = useImport(definition, unfinished)
  const items = [
    { title: t('importing.stepFile') },
    { title: t('importing.stepCheck') },
    { title: t('importing.stepPreview') },
    { title: t('importing.stepWrite') },
  ]
  return (
    <>
      <Steps size="small" current={steps[phase]} items={items} responsive={false} className="import-part" />
      {phase === 'choose' && <ImportChoose definition={definition} options={options ?? {}} onStarted={start} />}
      {error && <Alert type="warning" showIcon title={inlineErrorText(error, lang)} className="import-part" />}
      {(phase === 'checking' || phase === 'writing') && <ImportProgress job={job} writing={phase === 'writing'} />}
      {phase === 'preview' && job && (
        <ImportPreview job={job} definition={definition} onDecided={() => void reread()} />
      )}
      {phase === 'over' && job && <Outcome job={job} definition={definition} onAgain={again} onClose={onClose} />}
    </>
  )
}

/** Template, file, check, decision, result. It may be closed at any time: the job continues without it. */
export const ImportDrawer = (props: Props) => {
  const { known, id } = useUnfinishedImport(props.definition)
  const { title } = props.definition.useTexts()
  return (
    <AppDrawer size={920} title={title} onClose={props.onClose} mask={{ closable: false }}>
      {known ? <ImportSteps {...props} unfinished={id} /> : <Skeleton active />}
    </AppDrawer>
  )
}
