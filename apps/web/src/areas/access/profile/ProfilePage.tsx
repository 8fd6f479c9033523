import { profile as calls, Profile } from '@tocsin/contract/access/profile'
import { signInOptions } from '@tocsin/contract/access/sign-in/options'
import { EMPLOYEE_POST } from '@tocsin/contract/access/user'
import { useQuery } from '@tanstack/react-query'
import { Descriptions, Flex, Skeleton, Tabs, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { AvatarEditor } from './AvatarEditor.tsx'
import { Contact } from './ContactForm.tsx'
import { LayoutPreferences } from './LayoutPreferences.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { SocialAccounts, useProviderReturn } from './SocialAccounts.tsx'
import '#ui/list/screens.css'
import './profile.css'

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
        ...facts.map((fact) => ({ key: fact.key, label: fact.title(lang), children: fact.render(of) })),
        { key: 'dept', label: t('profile.dept'), children: of.dept.name },
        {
          key: 'posts',
          label: t('profile.posts'),
          children: <DictTag type={EMPLOYEE_POST} value={of.posts.map(({ id }) => String(id))} />,
        },
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

/** SPEC 2: the user's own data and settings. */
export const ProfilePage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(inlineQuery(calls.get))
  const options = useQuery({ ...inlineQuery(signInOptions.get), staleTime: 60_000 })
  const offered = options.data
  const returned = useProviderReturn()
  const [saves, setSaves] = useState(0)
  const failed = (!data && error) || (!offered && options.error)
  if (failed) return <ErrorState error={failed} onRetry={() => void Promise.all([refetch(), options.refetch()])} />
  if (!data || !offered) return <Skeleton active />
  const { mobile, email } = offered
  const security = (
    <>
      {mobile && <Contact kind="mobile" value={data.mobile} />}
      {email && <Contact kind="email" value={data.email} />}
      <SecondFactor username={data.username} />
      {offered.social.length > 0 && <SocialAccounts />}
    </>
  )
  return (
    <div className="profile">
      <div>
        <AvatarEditor id={data.id} name={data.nickname} url={data.avatar} />
        <Facts of={data} />
      </div>
      <Tabs
        defaultActiveKey={returned ? 'security' : 'own'}
        items={[
          {
            key: 'own',
            label: t('profile.edit'),
            // Saving resets the form.
            children: (
              <ProfileForm key={saves} of={data} proven={{ mobile, email }} onSaved={() => setSaves((n) => n + 1)} />
            ),
          },
          { key: 'password', label: t('profile.password'), children: <PasswordForm username={data.username} /> },
          { key: 'security', label: t('profile.security'), children: security },
          { key: 'sessions', label: t('profile.sessions'), children: <OwnSessions /> },
          { key: 'likings', label: t('profile.likings'), children: <LayoutPreferences /> },
        ]}
      />
    </div>
  )
}
