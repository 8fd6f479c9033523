import { DisconnectOutlined, InboxOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useMatches } from 'react-router'
import { ResultMessage } from '#ui/result/ResultMessage.tsx'
import { signOut } from './sign-out.ts'

/** The exception page of SPEC 2. */
export type ErrorKind = '403' | '404' | '500' | 'empty' | 'network'

const texts = {
  403: 'shell.forbiddenTitle',
  404: 'shell.notFoundTitle',
  500: 'shell.serverErrorTitle',
  empty: 'shell.emptyTitle',
  network: 'shell.networkTitle',
} as const

const marks = {
  403: '403',
  404: '404',
  500: '500',
  empty: <InboxOutlined aria-hidden />,
  network: <DisconnectOutlined aria-hidden />,
} as const

type Props = {
  trouble: ErrorKind
  /** Shown large above, instead of the error number. */
  mark?: string
  detail?: ReactNode
  /** Further links, before those to home and to the sign-in. */
  more?: ReactNode
}

/** In place of a whole page: what is wrong, and the links that lead on. */
export const ErrorPage = ({ trouble, mark, detail, more }: Props) => {
  const { t } = useTranslation()
  // A page without a handle, as /404, has no other name than its error.
  const heading = useMatches().at(-1)?.handle ? 'h2' : 'h1'
  return (
    <ResultMessage mark={mark ?? marks[trouble]} title={t(texts[trouble])} heading={heading} detail={detail}>
      {more}
      <Link to="/">
        <Button type={more ? 'default' : 'primary'}>{t('shell.home')}</Button>
      </Link>
      <Button onClick={() => void signOut()}>{t('shell.toSignIn')}</Button>
    </ResultMessage>
  )
}
