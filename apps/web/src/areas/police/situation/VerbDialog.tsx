import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { possibleReports } from '@tocsin/contract/police/report'
import { CATEGORY_DICT, situationDispositions, type SituationRow } from '@tocsin/contract/police/situation'
import {
  CloseBody,
  DispatchBody,
  FeedbackBody,
  MergeBody,
  ReasonBody,
  situationCalls,
  situations,
  TransferBody,
} from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Form, Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { enumLabel, enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { StationSelect } from '../StationSelect.tsx'
import { UnitPicker } from './UnitPicker.tsx'

/** Verbs with input. */
export type AskingVerb = Exclude<keyof typeof situationCalls, 'claim' | 'recall'>

const MergeSelect = ({ situation, ...rest }: { situation: SituationRow; value?: number; onChange?: () => void }) => {
  const { t } = useTranslation()
  const { data } = useQuery(queryFor(situations.desk))
  const targets = (data?.list ?? []).filter(
    ({ id, stationDeptId, mode }) =>
      id !== situation.id && stationDeptId === situation.stationDeptId && mode === situation.mode,
  )
  return (
    <Select
      placeholder={t('list.choose')}
      options={targets.map(({ id, no, schoolName, place }) => ({
        value: id,
        label: [no, schoolName ?? place].filter(Boolean).join(' · '),
      }))}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

const FILES_MOST = 9
const toFileIds = (value: readonly StoredFileInfo[] | undefined) => value?.map(({ id }) => id)

const TextAndFiles = () => (
  <>
    <Field of={FeedbackBody} name="text">
      <Input.TextArea autoFocus maxLength={1000} showCount autoSize={{ minRows: 3 }} />
    </Field>
    <Field of={FeedbackBody} name="fileIds" toSent={toFileIds}>
      <AttachmentInput count={FILES_MOST} />
    </Field>
  </>
)

const CloseFields = () => {
  const lang = useLang()
  const { t } = useTranslation()
  return (
    <>
      <Field of={CloseBody} name="category">
        <DictSelect type={CATEGORY_DICT} />
      </Field>
      <Field of={CloseBody} name="disposition">
        <Select
          placeholder={t('list.choose')}
          options={enumOptions('situationDisposition', situationDispositions, lang)}
        />
      </Field>
      <Field of={CloseBody} name="result">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 3 }} />
      </Field>
    </>
  )
}

const Reason = ({ of }: { of: typeof ReasonBody | typeof TransferBody }) => (
  <Field of={of as typeof ReasonBody} name="reason">
    <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} />
  </Field>
)

const Fields = ({ verb, situation }: { verb: AskingVerb; situation: SituationRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  switch (verb) {
    case 'dispatch':
    case 'addUnit':
      return (
        <>
          <Field of={DispatchBody} name="unitIds">
            <UnitPicker situationId={situation.id} />
          </Field>
          <Form.Item name="force" valuePropName="checked">
            <Checkbox>{t('police.force')}</Checkbox>
          </Form.Item>
        </>
      )
    case 'transfer':
      return (
        <>
          <Field of={TransferBody} name="stationDeptId">
            <StationSelect />
          </Field>
          <Reason of={TransferBody} />
        </>
      )
    case 'merge':
      return (
        <Field of={MergeBody} name="intoId">
          <MergeSelect situation={situation} />
        </Field>
      )
    case 'note':
      return <TextAndFiles />
    case 'feedback':
      return (
        <>
          <Field of={FeedbackBody} name="kind">
            <Segmented options={enumOptions('reportKind', possibleReports(situation.feedbackCount), lang)} />
          </Field>
          <TextAndFiles />
        </>
      )
    case 'close':
      return <CloseFields />
    default:
      return <Reason of={ReasonBody} />
  }
}

type Props = { verb: AskingVerb; situation: SituationRow; onClose: () => void }

/** Asks for the input of a verb and applies it. */
export const VerbDialog = ({ verb, situation, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  // The form of each verb yields the fields of its own body.
  const endpoint = situationCalls[verb] as typeof situationCalls.note
  const { mutateAsync, isPending } = useApiMutation(endpoint, { fieldsInline: true })
  const word = enumLabel('situationVerb', verb, lang)
  const submit = async ({ fileIds, ...values }: Record<string, unknown>) => {
    const files = toFileIds(fileIds as StoredFileInfo[] | undefined)
    const { id, version } = situation
    const body = { ...values, id, version, ...(files && { fileIds: files }) }
    return mutateAsync({ body: body as never }).then(
      () => {
        notify.success(t('police.done', { verb: word }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={`${word} · ${situation.no}`}
      okText={word}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{
          category: situation.category ?? undefined,
          ...(verb === 'feedback' && { kind: possibleReports(situation.feedbackCount)[0] }),
        }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <Fields verb={verb} situation={situation} />
      </Form>
    </AppModal>
  )
}
