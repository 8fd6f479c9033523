import { type AnnouncementDetail, AnnouncementDraft, RevisionDraft } from '@tocsin/contract/announcement/announcement'
import { announcements, announcementVerbCalls } from '@tocsin/contract/announcement/announcement-calls'
import type { AttachmentInfo } from '@tocsin/contract/files/attachment'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Switch, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '#api/call.ts'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { RichEditor } from '#ui/rich/RichEditor.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { ScopeFields } from './ScopeFields.tsx'
import './announcement.css'

type Values = Record<string, unknown>

/** The text as a reader's phone shows it. */
const PhonePreview = () => {
  const { t } = useTranslation()
  const title: unknown = Form.useWatch('title')
  const content: unknown = Form.useWatch('content')
  return (
    <aside className="announcement-preview" aria-label={t('announcement.preview')}>
      <Typography.Text type="secondary">{t('announcement.preview')}</Typography.Text>
      <div className="announcement-phone">
        <Typography.Title level={4}>{typeof title === 'string' && title ? title : '–'}</Typography.Title>
        <RichText html={typeof content === 'string' ? content : ''} />
      </div>
    </aside>
  )
}

const Fields = ({ isRevision }: { isRevision: boolean }) => {
  const { t } = useTranslation()
  return (
    <>
      <Typography.Title level={5}>{t('announcement.text')}</Typography.Title>
      <Field of={AnnouncementDraft} name="title">
        <Input maxLength={100} showCount autoComplete="off" />
      </Field>
      <Field of={AnnouncementDraft} name="content">
        <RichEditor label={t('announcement.text')} />
      </Field>
      <Field of={AnnouncementDraft} name="attachments" toSent={toAttachmentDrafts}>
        <AttachmentInput />
      </Field>
      {!isRevision && <ScopeFields />}
      <Typography.Title level={5}>{t('announcement.times')}</Typography.Title>
      {!isRevision && (
        <Field of={AnnouncementDraft} name="publishAt" extra={t('announcement.publishAtHelp')}>
          <InstantPicker />
        </Field>
      )}
      <Field of={AnnouncementDraft} name="validUntil">
        <InstantPicker />
      </Field>
      <Flex gap="large" wrap>
        <Field of={AnnouncementDraft} name="pinned" valuePropName="checked">
          <Switch />
        </Field>
        {!isRevision && (
          <Field of={AnnouncementDraft} name="needsSign" valuePropName="checked">
            <Switch />
          </Field>
        )}
      </Flex>
    </>
  )
}

/** @returns a function that saves the form and answers the id. */
const useSave = (row: AnnouncementDetail | undefined, isRevision: boolean) => {
  const create = useApiMutation(announcements.create, { fieldsInline: true })
  const update = useApiMutation(announcements.update, { fieldsInline: true })
  const revise = useApiMutation(announcementVerbCalls.revise, { fieldsInline: true })
  const save = async (values: Values): Promise<number> => {
    const attachments = toAttachmentDrafts(values['attachments'] as StoredFileInfo[] | undefined)
    if (!row) return create.mutateAsync({ body: { ...toDraft(AnnouncementDraft, values), attachments } })
    const { id, version } = row
    if (isRevision) await revise.mutateAsync({ body: { ...toDraft(RevisionDraft, values), attachments, id, version } })
    else await update.mutateAsync({ body: { ...toDraft(AnnouncementDraft, values), attachments, id, version } })
    return id
  }
  return { save, isSaving: create.isPending || update.isPending || revise.isPending }
}

const AnnouncementForm = ({ row, initial }: { row?: AnnouncementDetail; initial: Values }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [saved, setSaved] = useState(false)
  const isRevision = row?.state === 'PUBLISHED'
  const { save, isSaving } = useSave(row, isRevision)
  const submit = useApiMutation(announcementVerbCalls[isRevision ? 'submitRevision' : 'submit'], { fieldsInline: true })
  useUnsavedGuard(() => !saved && form.isFieldsTouched())
  const send = async (andSubmit: boolean) => {
    const values = (await form.validateFields()) as Values
    try {
      const id = await save(values)
      setSaved(true)
      if (andSubmit) {
        const { version } = await call(announcements.get, { query: { id } })
        // What was saved is shown with the reason when it cannot be submitted.
        await submit.mutateAsync({ body: { id, version } }).then(
          () => notify.success(t('announcement.submitted')),
          () => undefined,
        )
      } else notify.success(t('announcement.saved'))
      void navigate(`/announcement/detail/${id}`, { replace: true })
    } catch (error) {
      showFieldErrors(form, error, lang)
    }
  }
  const busy = isSaving || submit.isPending
  return (
    <Form form={form} layout="vertical" initialValues={initial} scrollToFirstError>
      <div className="announcement-form">
        <div>
          <Fields isRevision={isRevision} />
        </div>
        <PhonePreview />
      </div>
      <Flex gap="small" wrap className="announcement-bar">
        <Button type="primary" loading={busy} onClick={() => void send(true)}>
          {t('announcement.saveAndSubmit')}
        </Button>
        <Button loading={busy} onClick={() => void send(false)}>
          {t(isRevision ? 'announcement.saveRevision' : 'announcement.saveDraft')}
        </Button>
        <Button onClick={() => void navigate(-1)}>{t('list.cancel')}</Button>
      </Flex>
    </Form>
  )
}

const toFiles = (attachments: readonly AttachmentInfo[]) =>
  attachments.map(({ fileId, name, size, type, url }) => ({ id: fileId, name, size, type, url }))

const toValues = (row: AnnouncementDetail): Values => {
  const text = row.revision ?? row
  return { ...row, ...text, attachments: toFiles(text.attachments) }
}

const EditedAnnouncement = ({ id }: { id: number }) => {
  const query = useQuery({ ...inlineQuery(announcements.get, { query: { id } }), gcTime: 0 })
  const [first, setFirst] = useState<AnnouncementDetail>()
  // A refetch must not replace the version, because changes of other users would be overwritten unseen.
  if (!first && query.data) setFirst(query.data)
  if (first) return <AnnouncementForm row={first} initial={toValues(first)} />
  return <QueryResult query={query}>{() => null}</QueryResult>
}

/** A new draft with the text and scope of another announcement; files stay with the other one. */
const CopiedAnnouncement = ({ id }: { id: number }) => {
  const query = useQuery({ ...inlineQuery(announcements.get, { query: { id } }), gcTime: 0 })
  return (
    <QueryResult query={query}>
      {(row) => <AnnouncementForm initial={{ ...toValues(row), attachments: [], publishAt: null, validUntil: null }} />}
    </QueryResult>
  )
}

/** A new announcement, a copy of another one, a draft to be changed, or the next edition of a published one. */
export const AnnouncementFormPage = () => {
  const [params] = useSearchParams()
  const id = Number(params.get('id'))
  if (id > 0) return <EditedAnnouncement key={id} id={id} />
  const copyOf = Number(params.get('copy'))
  if (copyOf > 0) return <CopiedAnnouncement key={copyOf} id={copyOf} />
  const initial = { target: 'SCOPE', deptIds: [], schoolIds: [], roleIds: [], pinned: false, needsSign: true }
  return <AnnouncementForm initial={initial} />
}
