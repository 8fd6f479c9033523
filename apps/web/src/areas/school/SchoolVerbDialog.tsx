import { codes } from '@tocsin/contract/codes'
import type { SchoolRow } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { schoolRule, type SchoolVerb, schoolVerbs } from '@tocsin/contract/school/school-status'
import { Alert, Flex, Form, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '#api/error-display.ts'
import { ApiError } from '#api/error.ts'
import { useApiMutation } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { openRecordsPath } from './school-routes.ts'

type Subject = Pick<SchoolRow, 'id' | 'version' | 'name' | 'status'>

/** Verbs that the user may apply to a school of this status. */
export const useSchoolVerbs = () => {
  const permissions = useSession(({ permissions: held }) => held)
  return ({ status }: Pick<SchoolRow, 'status'>): SchoolVerb[] =>
    schoolVerbs.filter((verb) => {
      const { from, permission } = schoolRule(verb)
      return from.includes(status) && permissions.has(permission)
    })
}

/** The open dependencies, each with a link. */
const Blockers = ({ error, id }: { error: ApiError; id: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const isNotReady = error.code === codes.schoolNotReady.code
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={errorText(error, lang)}
      description={
        <Flex gap="middle" wrap>
          {isNotReady ? (
            <Link to={`/school/form?id=${id}`}>{t('school.toForm')}</Link>
          ) : (
            <>
              <Link to={`/device/schoolDevice?schoolId=${id}`}>{t('school.toDevices')}</Link>
              <Link to={openRecordsPath(id, 'ALL')}>{t('school.toAlarms')}</Link>
            </>
          )}
        </Flex>
      }
    />
  )
}

const guardCodes: readonly (number | string)[] = [codes.schoolNotReady.code, codes.schoolNotEmpty.code]

type Props = { verb: SchoolVerb; school: Subject; onClose: () => void }

/** Asks for the input of a verb and applies it; a rejecting guard names the open dependencies. */
export const SchoolVerbDialog = ({ verb, school, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const [blocked, setBlocked] = useState<ApiError>()
  const { mutateAsync, isPending } = useApiMutation(schoolEdits[verb], { fieldsInline: true })
  const label = enumLabel('schoolVerb', verb, lang)
  const asksReason = schoolRule(verb).asks.includes('reason')
  const submit = async (values: Record<string, unknown>) => {
    setBlocked(undefined)
    await mutateAsync({ body: { id: school.id, version: school.version, ...values } } as never).then(
      () => {
        notify.success(t('school.verbDone', { verb: label }))
        onClose()
      },
      (error: unknown) => {
        if (error instanceof ApiError && guardCodes.includes(error.code)) setBlocked(error)
        else showFieldErrors(form, error, lang)
      },
    )
  }
  return (
    <AppModal
      title={t('school.verbOne', { verb: label, name: school.name })}
      okText={label}
      okButtonProps={{ danger: verb === 'close', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Flex vertical gap="middle">
        {blocked && <Blockers error={blocked} id={school.id} />}
        {verb === 'suspend' && <Typography.Text>{t('school.suspendHelp')}</Typography.Text>}
        {verb === 'close' && <Typography.Text>{t('school.closeHelp')}</Typography.Text>}
        <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
          {asksReason && (
            <Field of={schoolEdits.close.body} name="reason">
              <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} />
            </Field>
          )}
        </Form>
      </Flex>
    </AppModal>
  )
}
