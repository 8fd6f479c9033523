import { type SocialRow, socials } from '@tocsin/contract/system/sign-in/social'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton, Typography } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { call } from '#api/call.ts'
import { showError } from '#api/notices.ts'
import { readInPlace, useWrite } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'

const Line = ({ row }: { row: SocialRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const unbind = useWrite(socials.unbind)
  const name = lang === 'en' ? row.nameEn : row.name
  const bind = () =>
    call(socials.bindRedirect, { query: { provider: row.provider } }).then(({ url }) => location.assign(url), showError)
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
          <Button onClick={() => void bind()}>{t('profile.bind')}</Button>
        )}
      </Flex>
    </li>
  )
}

/** Back from a provider: what it brought is in the address, good once. Says whether it brought anything. */
export const useProviderReturn = (): boolean => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [returned] = useState(() => params.has('state'))
  const bind = useWrite(socials.bind)
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

/** Accounts of other systems that sign in here, as far as this installation has any. */
export const SocialAccounts = () => {
  const { data, error, refetch } = useQuery(readInPlace(socials.list))
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
