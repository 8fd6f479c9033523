import { auth } from '@tocsin/contract/system/auth'
import { type Profile, ProfileEdit, profile as calls } from '@tocsin/contract/system/profile'
import { nickname } from '@tocsin/contract/system/user'
import { Button, Form, Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useWrite } from '#api/query.ts'
import { useUnsaved } from '#shell/unsaved.ts'
import { useLang } from '#texts/i18n.ts'
import { wordOptions } from '#texts/words.ts'
import { Field } from '#ui/Field.tsx'
import { draftOf } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { markRefusal } from '../blame.ts'

const { mobile, email, sex } = ProfileEdit.shape
const OwnData = z.strictObject({ nickname, mobile, email, sex })

type Props = {
  of: Profile
  /** Contacts that are proven by a code elsewhere, and not typed here. */
  proven: { mobile: boolean; email: boolean }
}

/** One's own data as of the version that was read. */
export const OwnForm = ({ of, proven }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useUnsaved(() => form.isFieldsTouched())
  const update = useWrite(calls.update, { also: [auth.permissionInfo], fieldsInline: true })
  const submit = (values: Record<string, unknown>) => {
    const { mobile: typedMobile, email: typedEmail, ...rest } = draftOf(OwnData, values)
    const contacts = { ...(!proven.mobile && { mobile: typedMobile }), ...(!proven.email && { email: typedEmail }) }
    return update.mutateAsync({ body: { ...rest, ...contacts, version: of.version } }).then(
      () => notify.success(t('list.saved')),
      (error: unknown) => markRefusal(form, error, lang),
    )
  }
  return (
    <Form
      form={form}
      name="own"
      layout="vertical"
      className="narrow-form"
      initialValues={of}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      <Field of={OwnData} name="nickname">
        <Input maxLength={30} autoComplete="name" />
      </Field>
      {!proven.mobile && (
        <Field of={OwnData} name="mobile">
          <Input maxLength={11} inputMode="tel" autoComplete="tel-national" />
        </Field>
      )}
      {!proven.email && (
        <Field of={OwnData} name="email">
          <Input maxLength={50} inputMode="email" autoComplete="email" />
        </Field>
      )}
      <Field of={OwnData} name="sex">
        <Radio.Group options={wordOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
      </Field>
      <Button type="primary" htmlType="submit" loading={update.isPending}>
        {t('list.save')}
      </Button>
    </Form>
  )
}
