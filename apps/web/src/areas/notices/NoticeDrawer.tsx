import type { Lang } from '@tocsin/contract/field'
import { fieldErrorText } from '@tocsin/contract/issue'
import { Notice, NoticeDraft, NoticeForm, noticeLevels, noticeTargets, notices } from '@tocsin/contract/notices/notice'
import { useQuery } from '@tanstack/react-query'
import { Form, Input, Radio, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { RichEditor } from '#ui/rich/RichEditor.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { DeptsSelect, PeopleSelect } from './receivers.tsx'

/** Named receivers are required when the target needs them; the contract omits other fields. */
const named = (name: 'deptIds' | 'userIds', lang: Lang) => ({
  validator: async (_: unknown, ids: readonly number[] | undefined) => {
    if (ids?.length) return
    throw new Error(fieldErrorText({ field: name, rule: 'required' }, lang))
  },
})

const Receivers = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const target: unknown = Form.useWatch('target')
  if (target === 'DEPT')
    return (
      <Field of={NoticeDraft} name="deptIds" required rules={[named('deptIds', lang)]} extra={t('notice.deptsHelp')}>
        <DeptsSelect />
      </Field>
    )
  if (target !== 'USER') return null
  return (
    <Field of={NoticeDraft} name="userIds" required rules={[named('userIds', lang)]}>
      <PeopleSelect />
    </Field>
  )
}

const NoticeFields = () => {
  const { t } = useTranslation()
  const mayPublish = useHasPermission('system:notice:publish')
  const lang = useLang()
  return (
    <>
      <Field of={NoticeDraft} name="title">
        <Input maxLength={50} showCount autoComplete="off" />
      </Field>
      <Field of={NoticeDraft} name="type">
        <DictSelect type="system_notice_type" placeholder={t('notice.chooseType')} />
      </Field>
      <Field of={NoticeDraft} name="level" extra={t('notice.levelHelp')}>
        <Radio.Group options={enumOptions('noticeLevel', noticeLevels, lang)} />
      </Field>
      <Field of={NoticeDraft} name="target">
        <Radio.Group options={enumOptions('noticeTarget', noticeTargets, lang)} />
      </Field>
      <Receivers />
      <Field of={NoticeDraft} name="content">
        <RichEditor label={t('notice.content')} />
      </Field>
      {mayPublish && (
        <Field of={NoticeForm} name="status" valuePropName="checked" extra={t('notice.publishEffect')}>
          <Switch />
        </Field>
      )}
      <Field of={NoticeDraft} name="remark" extra={t('notice.remarkHelp')}>
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </>
  )
}

const WIDE = 'min(860px, 100vw)'

const Changing = ({ notice, onClose }: { notice: Notice; onClose: () => void }) => {
  const { t } = useTranslation()
  const update = useApiMutation(notices.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const { id, version } = notice
    const { status, ...draft } = toDraft(NoticeForm, values)
    // Only unpublished notices are edited here: revoking is a separate action.
    const published = status === true && { status }
    await update.mutateAsync({ body: { ...draft, ...published, id, version: newer ?? version } })
    notify.success(t('list.saved'))
  }
  return (
    <EditDrawer
      title={t('notice.editOf', { title: notice.title })}
      initialValues={notice}
      save={save}
      reading={readAs(Notice)}
      onClose={onClose}
      size={WIDE}
    >
      <NoticeFields />
    </EditDrawer>
  )
}

/** Changes the notice with a check of the version read at opening. */
export const NoticeChange = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({ ...inlineQuery(notices.get, { query: { id } }), gcTime: 0 })
  const [first, setFirst] = useState<Notice>()
  // A concurrent save must not silently update the version.
  if (!first && data) setFirst(data)
  if (first) return <Changing notice={first} onClose={onClose} />
  const pending = error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />
  return (
    <EditDrawer
      title={t('list.edit')}
      initialValues={{}}
      save={async () => undefined}
      pending={pending}
      onClose={onClose}
      size={WIDE}
    >
      {null}
    </EditDrawer>
  )
}

export const NoticeCreation = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const create = useApiMutation(notices.create, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    await create.mutateAsync({ body: toDraft(NoticeForm, values) })
    notify.success(t('list.created'))
  }
  return (
    <EditDrawer
      title={t('notice.new')}
      initialValues={{ level: 'L', target: 'DEPT' }}
      save={save}
      onClose={onClose}
      size={WIDE}
    >
      <NoticeFields />
    </EditDrawer>
  )
}
