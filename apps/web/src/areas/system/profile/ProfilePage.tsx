import { auth } from '@tocsin/contract/system/auth'
import { profile as calls, Profile, ProfileEdit } from '@tocsin/contract/system/profile'
import { nickname } from '@tocsin/contract/system/user'
import { useQuery } from '@tanstack/react-query'
import { Button, Descriptions, Flex, Form, Input, Radio, Skeleton, Tabs, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { read, useWrite } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { wordOptions } from '#texts/words.ts'
import { column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { draftOf } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { markRefusal } from '../blame.ts'
import { AvatarEditor } from './AvatarEditor.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import '../system.css'

const { mobile, email, sex } = ProfileEdit.shape
const OwnData = z.strictObject({ nickname, mobile, email, sex })

const facts = [
  column(Profile, 'username'),
  column(Profile, 'loginDate'),
  column(Profile, 'loginIp'),
  column(Profile, 'createTime'),
]

const Facts = ({ of }: { of: Profile }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const none = <Typography.Text type="secondary">{t('profile.noRoles')}</Typography.Text>
  const roles = of.roles.map(({ id, name }) => <Tag key={id}>{name}</Tag>)
  return (
    <Descriptions
      bordered
      column={1}
      size="small"
      title={of.nickname}
      items={[
        ...facts.map((one) => ({ key: one.key, label: one.title(lang), children: one.render(of) })),
        { key: 'dept', label: t('profile.dept'), children: of.dept.name },
        {
          key: 'roles',
          label: t('profile.roles'),
          children: (
            <Flex wrap gap={4}>
              {roles.length > 0 ? roles : none}
            </Flex>
          ),
        },
      ]}
    />
  )
}

/** One's own data as of the version that was read. */
const OwnForm = ({ of }: { of: Profile }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const update = useWrite(calls.update, { also: [auth.permissionInfo], fieldsInline: true })
  const submit = (values: Record<string, unknown>) =>
    update.mutateAsync({ body: { ...draftOf(OwnData, values), version: of.version } }).then(
      () => notify.success(t('list.saved')),
      (error: unknown) => markRefusal(form, error, lang),
    )
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
      <Field of={OwnData} name="mobile">
        <Input maxLength={11} inputMode="tel" autoComplete="tel-national" />
      </Field>
      <Field of={OwnData} name="email">
        <Input maxLength={50} inputMode="email" autoComplete="email" />
      </Field>
      <Field of={OwnData} name="sex">
        <Radio.Group options={wordOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
      </Field>
      <Button type="primary" htmlType="submit" loading={update.isPending}>
        {t('list.save')}
      </Button>
    </Form>
  )
}

/** SPEC 2: who I am here, and what I may change of it. */
export const ProfilePage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(read(calls.get))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  return (
    <div className="profile">
      <div>
        <AvatarEditor url={data.avatar} />
        <Facts of={data} />
      </div>
      <Tabs
        items={[
          // Somebody else's change, or one's own that was saved, begins the form anew.
          { key: 'own', label: t('profile.edit'), children: <OwnForm key={data.version} of={data} /> },
          { key: 'password', label: t('profile.password'), children: <PasswordForm username={data.username} /> },
        ]}
      />
    </div>
  )
}
