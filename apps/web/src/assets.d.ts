declare module '*.css'

/** Vite's: the address of a file that is served unchanged. */
declare module '*?url' {
  const url: string
  export { url as default }
}

/** The texts of one language, made by split-texts.ts. */
declare module '*?zh-cn' {
  export const texts: import('#texts/topic.ts').TextsOf<typeof import('#texts/texts.ts')['texts']>
}
declare module '*?en' {
  export const texts: import('#texts/topic.ts').TextsOf<typeof import('#texts/texts.ts')['texts']>
}

// antd's ES build is real ESM without declaring it, which nodenext cannot know; its types would promise a wrapper.
declare module 'antd/es/locale/zh_CN' {
  const locale: NonNullable<import('antd').ConfigProviderProps['locale']>
  export { locale as default }
}
declare module 'antd/es/locale/en_US' {
  const locale: NonNullable<import('antd').ConfigProviderProps['locale']>
  export { locale as default }
}

interface ImportMeta {
  /** Vite's: only whether this is a build. */
  readonly env: { readonly PROD: boolean }
}

/** The address of a worker that the bundler builds. */
declare module '*?worker&url' {
  const url: string
  export { url as default }
}
