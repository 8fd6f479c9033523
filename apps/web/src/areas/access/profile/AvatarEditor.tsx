import { auth } from '@tocsin/contract/access/auth'
import { AVATAR_BYTES, imageTypes } from '@tocsin/contract/files/file'
import { profile } from '@tocsin/contract/access/profile'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { invalidate, useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { notify } from '#ui/notify.ts'
import { DropArea, UploadLimitsText } from '#ui/upload/DropArea.tsx'
import { Avatar } from '#ui/upload/Avatar.tsx'
import { uploadLimits, checkFile } from '#ui/upload/limits.ts'

const AvatarCrop = lazyComponent(async () => (await import('#ui/upload/AvatarCrop.tsx')).AvatarCrop, {
  close: ({ onClose }) => onClose(),
})

const limits = uploadLimits(profile.updateAvatar, imageTypes)
/** A photo of any size is cropped here and uploaded small. */
const chosen = { ...limits, bytes: AVATAR_BYTES * 4 }

const again = () => invalidate(profile.get, auth.permissionInfo)

const Remove = () => {
  const { t } = useTranslation()
  const remove = useApiMutation(profile.deleteAvatar, { also: [auth.permissionInfo] })
  const ask = async () => {
    if (!(await confirm({ title: t('file.avatarRemoveAsk'), danger: true }))) return
    remove.mutate({}, { onSuccess: () => notify.success(t('list.saved')) })
  }
  return (
    <Button size="small" type="text" danger loading={remove.isPending} onClick={() => void ask()}>
      {t('file.avatarRemove')}
    </Button>
  )
}

/** Selects and crops the own picture. */
export const AvatarEditor = ({ id, name, url }: { id: number; name: string; url: string | null }) => {
  const { t } = useTranslation()
  const [file, setFile] = useState<File>()
  const take = ([first]: readonly File[]) => {
    const refusal = first && checkFile(first, chosen)
    if (refusal) showError(refusal)
    else setFile(first)
  }
  const send = async (square: File) => {
    try {
      await upload(profile.updateAvatar, { files: { avatarFile: [square] } })
      setFile(undefined)
      notify.success(t('list.saved'))
      await again()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <div className="avatar-editor">
      <DropArea limits={limits} onFiles={take} label={t('file.avatarChange')} className="avatar-choice">
        <Avatar url={url} size={88} name={name} id={id} />
      </DropArea>
      <Flex vertical align="start" gap={4}>
        <strong>{t('file.avatar')}</strong>
        <span className="drop-limits">{t('file.avatarHint')}</span>
        <span className="drop-limits">
          <UploadLimitsText limits={chosen} />
        </span>
        {url && <Remove />}
      </Flex>
      {file && <AvatarCrop file={file} onDone={send} onClose={() => setFile(undefined)} />}
    </div>
  )
}
