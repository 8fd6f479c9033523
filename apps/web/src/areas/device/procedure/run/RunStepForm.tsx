import { CameraOutlined } from '@ant-design/icons'
import { procedureRuns } from '@tocsin/contract/device/procedure/procedure-calls'
import { RunStepDraft, type RunDetail } from '@tocsin/contract/device/procedure/run'
import { imageTypes, type StoredFileInfo } from '@tocsin/contract/files/file'
import { labelIn } from '@tocsin/contract/field'
import { Alert, Button, Flex, Form, Input, InputNumber } from 'antd'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { formatDateTime } from '#ui/time.ts'
import { createDetector, hasCamera, LabelCamera } from '../../on-site/LabelCamera.tsx'
import { useStepFacts } from '../StepList.tsx'

type Step = RunDetail['steps'][number]
type Props = { run: RunDetail; step: Step; no: number; onNext: () => void; onBack: (() => void) | undefined }
type Values = { reading?: number | null; scan?: string; note?: string; attachments?: StoredFileInfo[] }

/** What was recorded for the step before, with the reading against its limits. */
const StepResult = ({ step }: { step: Step }) => {
  const { t } = useTranslation()
  if (!step.result) return null
  const { state, userName, at, reading } = step.result
  const isFailed = state === 'FAILED'
  const unit = step.unit ?? ''
  return (
    <Alert
      type={isFailed ? 'error' : 'success'}
      showIcon
      title={
        isFailed
          ? t('procedure.outside', { reading, unit, min: step.min ?? '–', max: step.max ?? '–' })
          : t('procedure.doneBy', { name: userName, at: formatDateTime(at) })
      }
    />
  )
}

/** The label of the device: by the camera where the browser reads codes, else by typing. */
const ScanInput = ({
  value = '',
  onChange,
  id,
}: {
  value?: string
  onChange?: (value: string) => void
  id?: string
}) => {
  const { t } = useTranslation()
  const [detector] = useState(createDetector)
  const [isLooking, setLooking] = useState(false)
  const take = useCallback(
    (sn: string) => {
      setLooking(false)
      onChange?.(sn)
    },
    [onChange],
  )
  return (
    <Flex vertical gap="small">
      {isLooking && detector && <LabelCamera detector={detector} onFound={take} />}
      {detector && hasCamera() && !isLooking && (
        <Button size="large" icon={<CameraOutlined />} onClick={() => setLooking(true)}>
          {t('device.scan')}
        </Button>
      )}
      <Input
        {...(id !== undefined && { id })}
        size="large"
        maxLength={100}
        autoCapitalize="characters"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
      />
    </Flex>
  )
}

const Evidence = ({ step }: { step: Step }) => {
  const lang = useLang()
  const label = (name: 'reading' | 'scan' | 'attachments') => labelIn(lang, RunStepDraft.shape[name])
  switch (step.evidence) {
    case 'READING':
      return (
        <Form.Item name="reading" label={`${label('reading')}${step.unit ? ` (${step.unit})` : ''}`}>
          <InputNumber size="large" inputMode="decimal" style={{ width: '100%' }} />
        </Form.Item>
      )
    case 'SCAN':
      return (
        <Form.Item name="scan" label={label('scan')}>
          <ScanInput />
        </Form.Item>
      )
    case 'PHOTO':
      return (
        <Form.Item name="attachments" label={enumLabel('stepEvidence', 'PHOTO', lang)}>
          <AttachmentInput types={imageTypes} />
        </Form.Item>
      )
    default:
      return null
  }
}

/** The evidence of one step and the button at the thumb. */
export const RunStepForm = ({ run, step, no, onNext, onBack }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const factsOf = useStepFacts()
  const [form] = Form.useForm<Values>()
  const { mutateAsync, isPending } = useApiMutation(procedureRuns.step, { fieldsInline: true })
  const send = async ({ reading, scan, note, attachments }: Values) => {
    const body = {
      id: run.id,
      version: run.version,
      no,
      reading: reading ?? null,
      scan: scan?.trim() || null,
      note: note?.trim() || null,
      ...(attachments && { attachments: toAttachmentDrafts(attachments) }),
    }
    await mutateAsync({ body }).then(
      ({ steps }) => {
        if (steps[no - 1]?.result?.state === 'DONE') onNext()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  const { result } = step
  const initial = {
    reading: result?.reading ?? null,
    scan: result?.scan ?? '',
    note: result?.note ?? '',
    ...(result &&
      result.attachments.length > 0 && {
        attachments: result.attachments.map(({ fileId, name, size, type, url }) => ({
          id: fileId,
          name,
          size,
          type,
          url,
        })),
      }),
  }
  return (
    <Form form={form} layout="vertical" initialValues={initial} onFinish={(values: Values) => void send(values)}>
      <p className="procedure-minor">{factsOf(step).join(' · ')}</p>
      <Evidence step={step} />
      <Form.Item name="note" label={labelIn(lang, RunStepDraft.shape.note)}>
        <Input.TextArea maxLength={500} autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
      <StepResult step={step} />
      <footer className="run-foot">
        <Button type="primary" block className="run-button" htmlType="submit" loading={isPending}>
          {enumLabel('runVerb', 'step', lang)}
        </Button>
        <Flex gap="small">
          {onBack && (
            <Button type="text" block className="run-touch" onClick={onBack}>
              {t('procedure.previous')}
            </Button>
          )}
          {!step.mandatory && (
            <Button type="text" block className="run-touch" onClick={onNext}>
              {t('procedure.skip')}
            </Button>
          )}
        </Flex>
      </footer>
    </Form>
  )
}
