import { SocialBinding, type SocialRow, socials } from '@tocsin/contract/access/sign-in/social'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Skeleton, Typography } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { confirm } from '#ui/confirm.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'

/** Requests the provider's address again, with the password that was required. */
const Proof = ({ row, onClose }: { row: SocialRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const begin = useApiMutation(socials.bindRedirect, { fieldsInline: true })
  const submit = (values: Record<string, unknown>) =>
    begin.mutate(
      { body: toDraft(SocialBinding, { ...values, provider: row.provider }) },
      { onSuccess: ({ url }) => location.assign(url), onError: (error) => showFieldErrors(form, error, lang) },
    )
  return (
    <AppModal title={lang === 'en' ? row.nameEn : row.name} footer={null} width={420} onCancel={onClose}>
      <Typography.Paragraph>{t('profile.bindProof')}</Typography.Paragraph>
      <Form form={form} name="proof" layout="vertical" onFinish={submit}>
        <Field of={SocialBinding} name="password">
          <Input.Password autoFocus autoComplete="current-password" />
        </Field>
        <Button block type="primary" htmlType="submit" loading={begin.isPending}>
          {t('profile.bind')}
        </Button>
      </Form>
    </AppModal>
  )
}

const Line = ({ row }: { row: SocialRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const unbind = useApiMutation(socials.unbind)
  const name = lang === 'en' ? row.nameEn : row.name
  const [proving, setProving] = useState(false)
  const begin = useApiMutation(socials.bindRedirect, { fieldsInline: true })
  const bind = () =>
    begin.mutate(
      { body: { provider: row.provider } },
      {
        onSuccess: ({ url }) => location.assign(url),
        onError: ({ errors }) => setProving(errors.some(({ field }) => field === 'password')),
      },
    )
  const ask = async () => {
    if (!(await confirm({ title: t('profile.unbindAsk', { name }), danger: true }))) return
    unbind.mutate({ body: { provider: row.provider } }, { onSuccess: () => notify.success(t('profile.unbound')) })
  }
  return (
    <li>
      <Flex justify="space-between" align="center" gap="middle" className="profile-line">
        <div>
          <div>{name}</div>
          <Typography.Text type="secondary">
            {row.boundAt ? (row.account ?? t('profile.bound')) : t('profile.notBound')}
          </Typography.Text>
        </div>
        {row.boundAt ? (
          <Button danger loading={unbind.isPending} onClick={() => void ask()}>
            {t('profile.unbind')}
          </Button>
        ) : (
          <Button loading={begin.isPending} onClick={bind}>
            {t('profile.bind')}
          </Button>
        )}
        {proving && <Proof row={row} onClose={() => setProving(false)} />}
      </Flex>
    </li>
  )
}

/** Handles the return from a provider: the address has its one-time parameters. Returns whether there were any. */
export const useProviderReturn = (): boolean => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [returned] = useState(() => params.has('state'))
  const bind = useApiMutation(socials.bind)
  const take = useEffectEvent(() => {
    const state = params.get('state')
    const code = params.get('code')
    const provider = state?.split('.')[0]
    if (!state || !provider) return
    const iss = params.get('iss')
    setParams({}, { replace: true })
    if (!code) return notify.warning(t('profile.bindRefused'))
    bind.mutate(
      { body: { provider, code, state, ...(iss !== null && { iss }) } },
      { onSuccess: () => notify.success(t('profile.boundNow')) },
    )
  })
  useEffect(() => take(), [])
  return returned
}

/** External accounts for signing in, if this installation has any providers. */
export const SocialAccounts = () => {
  const { data, error, refetch } = useQuery(inlineQuery(socials.list))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  return (
    <ul className="plain-list">
      {data.map((row) => (
        <Line key={row.provider} row={row} />
      ))}
    </ul>
  )
}
